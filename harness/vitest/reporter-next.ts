import { existsSync } from 'node:fs';
import path from 'node:path';
import type { TestError } from 'vitest';
import type { TestCase } from 'vitest/node';
import type { Evidence } from '../testing/property.ts';
import { freeWayStart } from '../workbook/free-way.ts';
import { filesIn, listKatasWithoutCode } from '../workbook/katas.ts';
import { isBegunShort } from '../workbook/remembered.ts';
import { runCommandLine } from '../workbook/run-command-line.ts';
import { isLaws } from './levels.ts';
import { type Explanation, explain, type Position, positionUnderTest, type Unwritten } from './present.ts';
import { codeFrame, readLines } from './present-frame.ts';
import type { Screen } from './reporter-screen.ts';
import { folderOf, groupOf, kataOf } from './test-place.ts';
import { isUnderTest } from './workbook-file.ts';

/** Describes the first failing test to the learner. */
export function nextStep(root: string, test: TestCase): NonNullable<Screen['next']> {
  const folder = folderOf(test.module);
  const errors = test.result().errors ?? [];
  const explanation = explain(errors);
  const { evidence = {}, laterTodo } = test.meta();
  const { counterexample, timeline, object, culprit, isDrawable = false } = evidence;
  const isWithoutCode = listKatasWithoutCode(root).some(({ id }) => id === path.basename(folder));
  const hasCode = folder.startsWith('katas/') && !isWithoutCode;
  const unwritten = explanation?.unwritten;
  const position = (unwritten && stubOf(root, unwritten)) ?? explanation?.position;
  const besides = [
    ...(unwritten ? ownFailureOf(errors) : ofEarlierLevel(test, position)),
    ...(laterTodo
      ? [`It also called ${laterTodo.symbol}, which is not implemented yet (${laterTodo.heading}).`]
      : []),
  ];
  return {
    test: test.fullName,
    ...(explanation && { explanation }),
    ...(position && {
      at: `${path.relative(root, position.file)}:${position.line}`,
      frame: codeFrame(position),
    }),
    besides,
    caught: toldOf(root, kataOf(test.module), evidence, explanation),
    ...(timeline && { timeline }),
    ...(object !== undefined && { object }),
    ...(culprit !== undefined && { culprit }),
    replay: replayOf(test, counterexample?.seed),
    read: isBegunShort(root, path.basename(folder))
      ? `${folder}/SHORT.md`
      : `${folder}/README.md, "${unwritten?.heading ?? headingOf(test)}"`,
    ...(hasCode && { hint: hintOf(test) }),
    ...(hasCode &&
      isDrawable &&
      !unwritten &&
      isLaws(test.module.moduleId) && { see: pageLine(kataOf(test.module)) }),
    ...(isCompared(root, test) && { isCompared: true }),
    // A learner who has written the first level works by levels, not with an own design.
    ...(unwritten && levelOf(test) === '1' && { free: freeWayStart(path.join(root, folder)) }),
  };
}

/** Whether a hint for this test compares the code with known mistakes. */
function isCompared(root: string, { module }: TestCase): boolean {
  const signatures = path.join(root, 'solutions', kataOf(module), 'signatures.json');
  return isLaws(module.moduleId) && existsSync(signatures);
}

/** One line about a failing test, for the list below the first. */
export function inOneLine(test: TestCase): string {
  const explanation = explain(test.result().errors ?? []);
  const { unwritten, message = '' } = explanation ?? {};
  if (unwritten) return `${unwritten.symbol} is not implemented yet`;
  const [first = ''] = message.split('\n');
  return first.replace(/^(?:Scenario "[^"]*", at|At) [\d.]+ ms: /, '');
}

/** Returns the test's own failure, which a function that is still `todo` has caused. */
function ownFailureOf(errors: readonly TestError[]): readonly string[] {
  const own = explain(errors.filter(({ name }) => name !== 'NotImplemented'));
  const [first = ''] = own?.message.split('\n') ?? [];
  return first === '' ? [] : [`Without it: ${first}`];
}

/** Explains that the failure is in a function of an earlier level, whose own tests did not notice it. */
function ofEarlierLevel(test: TestCase, position: Position | undefined): readonly string[] {
  const own = levelOf(test);
  if (own === undefined || !position || !isUnderTest(position.file)) return [];
  const level = levelAt(position);
  if (level === undefined || Number(level) >= Number(own)) return [];
  const name = position.method.replace(/^(?:async|Object|Module)\.?\s*/, '');
  return [
    `${name === '' ? 'This line is' : `${name} is`} of an earlier level: see README, "Level ${level}".`,
  ];
}

/** Returns the level of the last heading above a line in a stub, such as `// Level 6 · Carry it out`. */
function levelAt({ file, line }: Position): string | undefined {
  const above = readLines(file).slice(0, line);
  return above.flatMap((text) => /^\s*\/\/ Level (\d+)\b/.exec(text)?.[1] ?? []).at(-1);
}

/**
 * Describes the caught errors that come from code of this kata, except the error that failed the test. Without a
 * timeline, also the requests that the apiserver refused.
 */
function toldOf(
  root: string,
  kata: string,
  { caught = [], timeline }: Evidence,
  explanation: Explanation | undefined,
): readonly string[] {
  return caught.flatMap(({ name, message, times, stack }) => {
    if (explanation?.message.includes(message)) return [];
    const [first = ''] = message.split('\n');
    const often = times === 1 ? '' : ` (${times} times)`;
    // The stack of a refusal begins in the apiserver.
    if (name === 'StatusError') return timeline ? [] : [`The apiserver refused a request: ${first}${often}`];
    const position = positionUnderTest({ stack });
    if (!position || kataOf({ moduleId: position.file }) !== kata) return [];
    return [`${name}: ${first}${often} at ${path.relative(root, position.file)}:${position.line}`];
  });
}

/** Returns the command that runs the test again, alone and with the same inputs. It works in every shell. */
function replayOf(test: TestCase, seed: number | undefined): string {
  const { env } = process;
  return runCommandLine({
    kata: kataOf(test.module).slice(0, 2),
    only: shortestName(test),
    seed,
    runs: env.KATA_RUNS,
    mistake: env.KATA_MISTAKE,
    variant: env.KATA_VARIANT,
    solutions: test.project.name === 'solutions',
  });
}

/** Returns the name of a law, if no other test of its file contains it; else the whole name of the test. */
function shortestName(test: TestCase): string {
  const whole = test.fullName.replaceAll(' > ', ' ');
  const [law = '', ...statement] = test.name.split(':');
  const sharing = [...test.module.children.allTests()].filter(({ fullName }) => fullName.includes(law));
  return statement.length > 0 && sharing.length <= 1 ? law : whole;
}

/** Returns the command that opens the page with the replay of the first failed law of the last run. */
function pageLine(kata: string): string {
  return `npm run page -- --failure ${kata.slice(0, 2)}`;
}

/** Returns the README heading of the test. */
function headingOf(test: TestCase): string {
  const level = levelOf(test);
  if (level !== undefined) return `Level ${level}`;
  return isLaws(test.module.moduleId) ? 'Laws' : 'What you build';
}

/** Returns the command that prints a hint: for a level by its number, for a law by its name. */
function hintOf(test: TestCase): string {
  const kata = kataOf(test.module).slice(0, 2);
  // A shell treats text after a `#` as a comment.
  const law = test.name.split(':')[0]?.replace(/^#/, '');
  return `npm run kata -- hint ${kata} ${levelOf(test) ?? law}`;
}

function levelOf(test: TestCase): string | undefined {
  return /^Level (\d+)/.exec(groupOf(test))?.[1];
}

/** Returns the place where a stub calls `todo` for the unwritten function. */
function stubOf(root: string, { kata, symbol }: Unwritten): Position | undefined {
  const folder = path.join(root, 'katas', kata);
  const call = new RegExp(`\\btodo\\(\\s*[^,()]+,\\s*['"\`]${escapePattern(symbol)}['"\`]`);
  for (const name of filesIn(folder)) {
    if (!name.endsWith('.ts') || name.endsWith('.test.ts')) continue;
    const file = path.join(folder, name);
    const text = readLines(file).join('\n');
    const found = call.exec(text);
    if (found)
      return { file, line: text.slice(0, found.index).split('\n').length, column: 1, method: symbol };
  }
  return undefined;
}

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
