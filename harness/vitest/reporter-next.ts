import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { TestCase } from 'vitest/node';
import type { CaughtError } from '../contracts/caught.ts';
import { freeWayStart } from '../workbook/free-way.ts';
import { filesIn } from '../workbook/katas.ts';
import { isLaws } from './levels.ts';
import { type Explanation, explain, type Position, positionUnderTest, type Unwritten } from './present.ts';
import { codeFrame } from './present-frame.ts';
import type { Screen } from './reporter-screen.ts';
import { folderOf, groupOf, kataOf } from './test-place.ts';

/** What a learner needs to know about the test to turn green next. */
export function nextStep(root: string, test: TestCase): NonNullable<Screen['next']> {
  const folder = folderOf(test.module);
  const explanation = explain(test.result().errors ?? []);
  const { counterexample, timeline, object, caught = [] } = test.meta().evidence ?? {};
  const unwritten = explanation?.unwritten;
  const position = (unwritten && stubOf(root, unwritten)) ?? explanation?.position;
  return {
    test: test.fullName,
    ...(explanation && { explanation }),
    ...(position && {
      at: `${path.relative(root, position.file)}:${position.line}`,
      frame: codeFrame(position),
    }),
    caught: toldOf(root, caught, explanation),
    ...(timeline && { timeline }),
    ...(object !== undefined && { object }),
    replay: replayOf(test, folder, counterexample?.seed),
    read: `${folder}/README.md, "${unwritten?.heading ?? headingOf(test)}"`,
    ...(folder.startsWith('katas/') && { hint: hintOf(test) }),
    // A learner who has written the first level has chosen a way.
    ...(unwritten && levelOf(test) === '1' && { free: freeWayStart(path.join(root, folder)) }),
  };
}

/** In words, those that come from code under test; without the one that the test failed with. */
function toldOf(
  root: string,
  caught: readonly CaughtError[],
  explanation: Explanation | undefined,
): readonly string[] {
  return caught.flatMap(({ name, message, times, stack }) => {
    const position = positionUnderTest({ stack });
    if (!position || explanation?.message.includes(message)) return [];
    const [first = ''] = message.split('\n');
    const often = times === 1 ? '' : ` (${times} times)`;
    return [`${name}: ${first}${often} at ${path.relative(root, position.file)}:${position.line}`];
  });
}

/** The command that shows the same red again, alone. */
function replayOf(test: TestCase, folder: string, seed: number | undefined): string {
  const settings = ['KATA_RUNS', 'KATA_MISTAKE', 'KATA_VARIANT'].flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [`${name}=${value} `];
  });
  if (seed !== undefined) settings.unshift(`KATA_SEED=${seed} `);
  const project = test.project.name === 'katas' ? '' : ` --project ${test.project.name}`;
  // Vitest matches `-t` as a pattern against the names of the suites and the test, joined by spaces.
  const pattern = escapePattern(test.fullName.replaceAll(' > ', ' '));
  return `${settings.join('')}npx vitest ${folder}${project} -t ${quoted(pattern)}`;
}

/** The README heading that speaks of the test. */
function headingOf(test: TestCase): string {
  const level = levelOf(test);
  if (level !== undefined) return `Level ${level}`;
  return isLaws(test.module.moduleId) ? 'Laws' : 'What you build';
}

/** The command that prints a hint: for a level by its number, for a law by its name. */
function hintOf(test: TestCase): string {
  const kata = kataOf(test.module).slice(0, 2);
  // To a shell, what follows a `#` is a comment.
  const law = test.name.split(':')[0]?.replace(/^#/, '');
  return `npm run kata -- hint ${kata} ${levelOf(test) ?? law}`;
}

function levelOf(test: TestCase): string | undefined {
  return /^Level (\d+)/.exec(groupOf(test))?.[1];
}

/** Where the function that is still to be written stands: where its stub calls `todo`. */
function stubOf(root: string, { kata, symbol }: Unwritten): Position | undefined {
  const folder = path.join(root, 'katas', kata);
  const call = new RegExp(`\\btodo\\(\\s*[^,()]+,\\s*['"\`]${escapePattern(symbol)}['"\`]`);
  for (const name of filesIn(folder)) {
    if (!name.endsWith('.ts') || name.endsWith('.test.ts')) continue;
    const file = path.join(folder, name);
    const text = readFileSync(file, 'utf8');
    const found = call.exec(text);
    if (found)
      return { file, line: text.slice(0, found.index).split('\n').length, column: 1, method: symbol };
  }
  return undefined;
}

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
