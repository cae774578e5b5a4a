/**
 * How the counters of a tree's budget are moved.
 *
 * Room is checked and taken in one update of the tree's one row, so that of two processes that want the
 * last of it the second sees what the first took. SQLite runs a statement for each move. PostgreSQL
 * changes a row at most once in a statement, so there the moves of a batch are summed by tree first.
 *
 * The SQLite worker imports this file, so it must not import any package.
 */

type Amounts = {
  readonly tokens: string;
  readonly cost: string;
  readonly childRuns: string;
  readonly toolCalls: string;
};

/** Whether a row with the counters of `counted` has room for `asked`. */
const fits = (counted: Amounts, asked: Amounts, row: string): string =>
  limitsOf(counted, asked, row)
    .map(([max, sum]) => `(${max} is null or ${sum} <= ${max})`)
    .join(" and ");

/** The first limit that leaves no room for `asked`. */
const limitOf = (counted: Amounts, asked: Amounts, row: string): string =>
  `case ${limitsOf(counted, asked, row)
    .map(([max, sum, name]) => `when ${sum} > ${max} then '${name}'`)
    .join(" ")} end`;

const limitsOf = (counted: Amounts, asked: Amounts, row: string) =>
  [
    [`${row}max_tokens`, `${counted.tokens} + ${asked.tokens}`, "tokens"],
    [`${row}max_cost_nanos`, `${counted.cost} + ${asked.cost}`, "cost"],
    [`${row}max_child_runs`, `${counted.childRuns} + ${asked.childRuns}`, "childRuns"],
    [`${row}max_tool_calls`, `${counted.toolCalls} + ${asked.toolCalls}`, "toolCalls"],
  ] as const;

const countedIn = (row: string): Amounts => ({
  tokens: `${row}used_tokens + ${row}reserved_tokens`,
  cost: `${row}used_cost_nanos + ${row}reserved_cost_nanos`,
  childRuns: `${row}child_runs`,
  toolCalls: `${row}tool_calls`,
});

const countedWithoutHeld: Amounts = {
  ...countedIn(""),
  tokens: "used_tokens + reserved_tokens - held_tokens",
  cost: "used_cost_nanos + reserved_cost_nanos - held_cost_nanos",
};

const KEY = "tenant_id = $1 and root_run_id = $2";
const ASKED: Amounts = { tokens: "$3", cost: "$4", childRuns: "$5", toolCalls: "$6" };

/** Statements of one move each. Parameters: tenant, root, then the amounts. */
export const sqliteBudget = {
  reserve: `update tracon_budgets set reserved_tokens = reserved_tokens + $3,
    reserved_cost_nanos = reserved_cost_nanos + $4,
    child_runs = child_runs + $5, tool_calls = tool_calls + $6
    where ${KEY} and ${fits(countedIn(""), ASKED, "")}`,
  hold: `update tracon_budgets set reserved_tokens = reserved_tokens - held_tokens + $3,
    reserved_cost_nanos = reserved_cost_nanos - held_cost_nanos + $4,
    child_runs = child_runs + $5, tool_calls = tool_calls + $6,
    held_tokens = $3, held_cost_nanos = $4, held_until = $7
    where ${KEY} and ${fits(countedWithoutHeld, ASKED, "")}`,
  limit: `select ${limitOf(countedIn(""), ASKED, "")} as "limit" from tracon_budgets where ${KEY}`,
  settle: `update tracon_budgets set used_tokens = used_tokens + $3,
    estimated_tokens = estimated_tokens + $4, used_cost_nanos = used_cost_nanos + $5,
    reserved_tokens = reserved_tokens - $6, reserved_cost_nanos = reserved_cost_nanos - $7
    where ${KEY}`,
  settleHeld: `update tracon_budgets set used_tokens = used_tokens + $3,
    estimated_tokens = estimated_tokens + $4, used_cost_nanos = used_cost_nanos + $5,
    reserved_tokens = reserved_tokens - held_tokens,
    reserved_cost_nanos = reserved_cost_nanos - held_cost_nanos,
    held_tokens = 0, held_cost_nanos = 0, held_until = null
    where ${KEY}`,
  release: `delete from tracon_budget_reservations where ${KEY} and id = $3
    returning tokens, cost_nanos`,
  expire: `delete from tracon_budget_reservations where ${KEY} and expires_at <= $3
    returning tokens, cost_nanos`,
  expireHeld: `update tracon_budgets set reserved_tokens = reserved_tokens - held_tokens,
    reserved_cost_nanos = reserved_cost_nanos - held_cost_nanos,
    held_tokens = 0, held_cost_nanos = 0, held_until = null
    where ${KEY} and held_until <= $3`,
} as const;

const MOVED: Amounts = {
  tokens: "move.tokens",
  cost: "move.cost_nanos",
  childRuns: "move.child_runs",
  toolCalls: "move.tool_calls",
};
/** What the root held is let go when it is settled, or when it has expired and somebody needs the room. */
const LETS_GO = "(move.settles_held or b.held_until <= move.at)";
const letGo = (column: string): string => `case when ${LETS_GO} then b.${column} else 0 end`;
const AFTER_SETTLING: Amounts = {
  tokens: `b.used_tokens + move.used_tokens + b.reserved_tokens - move.released_tokens
    - ${letGo("held_tokens")}`,
  cost: `b.used_cost_nanos + move.used_cost_nanos + b.reserved_cost_nanos
    - move.released_cost_nanos - ${letGo("held_cost_nanos")}`,
  childRuns: "b.child_runs",
  toolCalls: "b.tool_calls",
};
const HAS_ROOM = fits(AFTER_SETTLING, MOVED, "b.");
const ifGranted = (amount: string): string => `case when ${HAS_ROOM} then ${amount} else 0 end`;
const held = (column: string, amount: string): string =>
  `${column} = case when move.held_until is not null and ${HAS_ROOM} then ${amount}
    when ${LETS_GO} then 0 else b.${column} end`;

/**
 * What `last_move` says of a move, which it names after one of its ids: all its reservations were
 * granted, or none, or it had none.
 */
export const moveMarks = { granted: "+", refused: "-", settled: "=" } as const;

/**
 * Takes from `moves`, one row a tree, what it settles and what it wants. `last_move` tells the statement's
 * other parts whether there was room: it is the one value of the updated row that says so. It also
 * tells whether a move was made whose answer was lost.
 */
const GRANTED = `'${moveMarks.granted}' || move.first_id`;
const MOVE = `update tracon_budgets b set
    used_tokens = b.used_tokens + move.used_tokens,
    estimated_tokens = b.estimated_tokens + move.estimated_tokens,
    used_cost_nanos = b.used_cost_nanos + move.used_cost_nanos,
    reserved_tokens = b.reserved_tokens - move.released_tokens - ${letGo("held_tokens")}
      + ${ifGranted("move.tokens")},
    reserved_cost_nanos = b.reserved_cost_nanos - move.released_cost_nanos
      - ${letGo("held_cost_nanos")} + ${ifGranted("move.cost_nanos")},
    ${held("held_tokens", "move.held_tokens")},
    ${held("held_cost_nanos", "move.held_cost_nanos")},
    held_until = case when move.held_until is not null and ${HAS_ROOM} then move.held_until
      when ${LETS_GO} then null else b.held_until end,
    child_runs = b.child_runs + ${ifGranted("move.child_runs")},
    tool_calls = b.tool_calls + ${ifGranted("move.tool_calls")},
    last_move = case when move.first_id is null then '${moveMarks.settled}' || move.settled_id
      when ${HAS_ROOM} then ${GRANTED} else '${moveMarks.refused}' || move.first_id end
  from moves move where b.tenant_id = move.tenant_id and b.root_run_id = move.root_run_id`;

/**
 * The parts of the commit statement that move budgets, from the rows of the two kinds. A tree's
 * reservations travel with its move as arrays: looking them up again by tree would be quadratic.
 */
export const postgresBudgetParts = (settle: string, reserve: string): readonly string[] => [
  `settle_rows as (select * from ${settle}
    as it (tenant_id, root_run_id, id, tokens, estimated_tokens, cost_nanos, is_held))`,
  `released_rows as (delete from tracon_budget_reservations r using settle_rows s
    where r.tenant_id = s.tenant_id and r.root_run_id = s.root_run_id and r.id = s.id
      and s.is_held = 0
    returning r.tenant_id, r.root_run_id, r.tokens, r.cost_nanos)`,
  `moves as (select tenant_id, root_run_id,
      coalesce(sum(used), 0)::bigint as used_tokens,
      coalesce(sum(estimated), 0)::bigint as estimated_tokens,
      coalesce(sum(used_cost), 0)::bigint as used_cost_nanos,
      coalesce(sum(released), 0)::bigint as released_tokens,
      coalesce(sum(released_cost), 0)::bigint as released_cost_nanos,
      coalesce(bool_or(settled = 1 or is_held = 1), false) as settles_held, 0::bigint as at,
      coalesce(sum(tokens), 0)::bigint as tokens, coalesce(sum(cost), 0)::bigint as cost_nanos,
      coalesce(sum(runs), 0)::integer as child_runs, coalesce(sum(calls), 0)::integer as tool_calls,
      min(id) as first_id, min(settled_id) as settled_id,
      max(tokens) filter (where is_held = 1) as held_tokens,
      max(cost) filter (where is_held = 1) as held_cost_nanos,
      max(expires) filter (where is_held = 1) as held_until,
      array_agg(id) filter (where id is not null) as ids,
      array_agg(tokens) filter (where id is not null) as each_tokens,
      array_agg(cost) filter (where id is not null) as each_cost,
      array_agg(expires) filter (where id is not null) as each_expires,
      array_agg(is_held) filter (where id is not null) as each_held
    from (
      select tenant_id, root_run_id, tokens as used, estimated_tokens as estimated,
        cost_nanos as used_cost, is_held as settled, null::bigint as released,
        null::bigint as released_cost, null::bigint as tokens, null::bigint as cost,
        null::integer as runs, null::integer as calls, null::bigint as expires,
        null::integer as is_held, null as id, id as settled_id from settle_rows
      union all select tenant_id, root_run_id, null, null, null, null, tokens, cost_nanos,
        null, null, null, null, null, null, null, null from released_rows
      union all select tenant_id, root_run_id, null, null, null, null, null, null,
        tokens, cost_nanos, child_runs, tool_calls, expires_at, is_held, id, null from ${reserve}
        as it (tenant_id, root_run_id, id, tokens, cost_nanos, child_runs, tool_calls, expires_at,
          at, is_held)
    ) as part group by tenant_id, root_run_id order by tenant_id, root_run_id)`,
  `moved_rows as (${MOVE}
    returning b.tenant_id, b.root_run_id, move.ids, move.each_tokens, move.each_cost,
      move.each_expires, move.each_held,
      b.last_move = ${GRANTED} as granted)`,
  `granted_rows as (insert into tracon_budget_reservations
      (tenant_id, root_run_id, id, tokens, cost_nanos, expires_at)
    select m.tenant_id, m.root_run_id, r.id, r.tokens, r.cost_nanos, r.expires_at
    from moved_rows m, unnest(m.ids, m.each_tokens, m.each_cost, m.each_expires, m.each_held)
      as r (id, tokens, cost_nanos, expires_at, is_held)
    where m.granted and r.is_held = 0 and r.tokens + r.cost_nanos > 0)`,
];

/** The reservations that got no room: all of a tree that stand in the batch, or none. */
export const postgresRefusedIds = `(select string_agg(array_to_string(ids, ' '), ' ')
  from moved_rows where not granted)`;

/**
 * One reservation by itself, after what has expired was taken back. A tree without a budget has no
 * limits. Parameters as the columns of a `reserve` row.
 */
export const postgresReserveSql = `with expired as (
    delete from tracon_budget_reservations where tenant_id = $1 and root_run_id = $2
      and expires_at <= $9 returning tokens, cost_nanos),
  moves as (select $1::text as tenant_id, $2::text as root_run_id, 0 as used_tokens,
      0 as estimated_tokens, 0 as used_cost_nanos,
      (select coalesce(sum(tokens), 0)::bigint from expired) as released_tokens,
      (select coalesce(sum(cost_nanos), 0)::bigint from expired) as released_cost_nanos,
      $10::integer = 1 as settles_held, $9::bigint as at,
      $4::bigint as tokens, $5::bigint as cost_nanos, $6::integer as child_runs,
      $7::integer as tool_calls, $3::text as first_id, null::text as settled_id,
      $4::bigint as held_tokens, $5::bigint as held_cost_nanos,
      case when $10::integer = 1 then $8::bigint end as held_until),
  moved_rows as (${MOVE}
    returning b.last_move = ${GRANTED} as granted,
      ${limitOf(countedIn("b."), MOVED, "b.")} as exceeded),
  granted_rows as (insert into tracon_budget_reservations
      (tenant_id, root_run_id, id, tokens, cost_nanos, expires_at)
    select $1, $2, $3, $4, $5, $8::bigint from moved_rows
    where granted and $10::integer = 0 and $4::bigint + $5::bigint > 0)
  select exceeded from moved_rows where not granted`;

/** Whether the last move of a tree has one of the marks `$3`. */
export const postgresMovedSql = `select 1 from tracon_budgets
  where tenant_id = $1 and root_run_id = $2 and last_move = any($3::text[])`;

/** Whether one of the reservations `$3` is there. */
export const postgresReservedSql = `select 1 from tracon_budget_reservations
  where tenant_id = $1 and root_run_id = $2 and id = any($3::text[])`;
