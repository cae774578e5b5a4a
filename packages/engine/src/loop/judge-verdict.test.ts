import { expect, it } from "vitest";
import { readJudgeVerdict } from "./judge-verdict.ts";

it.each([
  ["clean JSON", '{"answered":true,"gapAnalysis":""}', true],
  ["a fence", '```json\n{"answered": true, "gapAnalysis": ""}\n```', true],
  ["prose around the object", 'So: {"answered":true,"gapAnalysis":"none"} as asked.', true],
  ["braces in prose before it", 'I {think} so. {"answered":true,"gapAnalysis":""}', true],
  ["braces and quotes in a text of it", '{"gapAnalysis":"write \\"}\\" {","answered":true}', true],
  ["names in another case", '{"Answered":true,"GAPANALYSIS":"x"}', true],
  ["two objects, of which the first counts", '{"answered":true} {"answered":false}', true],
  ["two objects the other way round", '{"answered":false} {"answered":true}', false],
  ["no answered", '{"gapAnalysis":"x"}', false],
  ["answered as a text", '{"answered":"true"}', false],
  ["answered as a number", '{"answered":1}', false],
  ["answered twice", '{"answered":true,"answered":true}', false],
  ["answered twice in two cases", '{"answered":true,"Answered":false}', false],
  ["answered in an inner object only", '{"verdict":{"answered":true}}', false],
  ["another object before the verdict", '{"score":9} {"answered":true}', false],
  ["an object that is cut", '{"answered":true', false],
  ["a list of objects", '[{"answered":true}]', true],
  ["nothing", "", false],
  ["prose", "The work is finished.", false],
  ["the mark of what is done", "All is there. VERDICT: DONE", true],
  ["the mark in another case", "verdict: done", true],
  ["the mark of what is missing", "VERDICT: MORE", false],
  ["both marks", "VERDICT: DONE or VERDICT: MORE", false],
  ["a mark beside an object that says no", '{"answered":false} VERDICT: DONE', false],
])("reads %s", (_, text, answered) => {
  expect(readJudgeVerdict(text).answered).toBe(answered);
});

it.each([
  ['{"answered":false,"gapAnalysis":" Cite. "}', "Cite."],
  ['{"answered":false,"GapAnalysis":"Cite."}', "Cite."],
  ['{"answered":false,"gapAnalysis":5}', ""],
  ['{"answered":false}', ""],
  ["VERDICT: MORE", ""],
])("reads what is missing in %j", (text, gapAnalysis) => {
  expect(readJudgeVerdict(text)).toEqual({ answered: false, gapAnalysis });
});
