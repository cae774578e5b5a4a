/** Names of the tools that the engine itself gives an agent. */

export const BACKGROUND_TOOL_NAMES = [
  "background_agents_start_task",
  "background_agents_wait_for_first_completion",
  "background_agents_get_task_results",
  "background_agents_get_all_tasks",
  "background_agents_continue_task",
  "background_agents_clear_completed_task",
] as const;

export const SKILL_TOOL_NAMES = ["load_skill", "read_skill_resource", "run_skill_script"] as const;

export const KNOWLEDGE_TOOL_NAME = "search_knowledge";
