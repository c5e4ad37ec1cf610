import path from 'node:path';
import { processError } from 'vitest/internal/browser';
import type { TestCase, TestModule } from 'vitest/node';
import { configureProperties, defaultRuns, defaultSeed, type Evidence } from '../testing/property.ts';
import type { MistakeScreen } from '../workbook/screens.ts';
import { originalStack } from './judge-modules.ts';
import { type JudgedCase, runCase } from './judge-run.ts';
import { marksOf } from './reporter-marks.ts';
import { nextStep } from './reporter-next.ts';
import { screenLines } from './reporter-screen.ts';

/**
 * Draws the screen of a learner with this mistake in the tests that the screen names: the first failure, as a run of
 * Vitest shows it. Tests after a failure do not run, because they are not shown. Errors that the mistake swallows and
 * does not report are left out: the judge does not use `catch-plugin.ts`, which would take time for each mistake.
 *
 * @param cases the tests of the kata, collected with the mistake
 * @returns the screen, without the lines and counts that change with every test
 */
export async function drawScreen(
  root: string,
  screen: MistakeScreen,
  cases: readonly JudgedCase[],
): Promise<string> {
  const shown = cases.filter(({ file }) => path.basename(file) === screen.file);
  const results = await withEnvironment(
    // Inputs are fully shrunk, however busy the machine is. Commands name the mistake in the environment.
    { KATA_SHRINK_MS: '30000', KATA_MISTAKE: screen.mistake, NO_COLOR: '1' },
    () => resultsOf(shown, screen.tests),
  );
  const module = moduleOf(shown, results);
  const red = [...module.children.allTests()].find((test) => test.result().state === 'failed');
  return await withEnvironment({ KATA_MISTAKE: screen.mistake, NO_COLOR: '1' }, async () => {
    const next = red && nextStep(root, red);
    const lines = screenLines({ katas: marksOf([module]), durationMs: 0, ...(next && { next }) });
    return `${lasting(lines.join('\n').replace(/ +$/gm, '')).trim()}\n`;
  });
}

interface Result {
  readonly state: 'passed' | 'failed' | 'skipped';
  readonly error?: unknown;
  readonly evidence?: Evidence;
}

/** Runs the tests whose names match, as Vitest's `-t` does, up to the first failure. */
async function resultsOf(cases: readonly JudgedCase[], tests: string): Promise<readonly Result[]> {
  configureProperties({ seed: defaultSeed, runs: defaultRuns });
  const results: Result[] = [];
  let isRed = false;
  for (const one of cases) {
    if (isRed || !one.fullName.replaceAll(' > ', ' ').includes(tests)) {
      results.push({ state: 'skipped' });
      continue;
    }
    const verdict = await runCase(one, { evidence: true });
    if (verdict.outcome === 'undecided') throw verdict.error;
    isRed = verdict.outcome === 'failed';
    results.push(
      verdict.outcome === 'failed'
        ? {
            state: 'failed',
            error: verdict.error,
            ...(verdict.evidence && { evidence: inSource(verdict.evidence) }),
          }
        : { state: 'passed' },
    );
  }
  return results;
}

/** Returns the evidence with stacks in source coordinates. */
function inSource(evidence: Evidence): Evidence {
  const caught = evidence.caught?.map((one) => ({ ...one, stack: originalStack(one.stack) }));
  return { ...evidence, ...(caught && { caught }) };
}

/** Returns the part of Vitest's module that the reporter uses. */
function moduleOf(cases: readonly JudgedCase[], results: readonly Result[]): TestModule {
  const project = { name: 'solutions' };
  const module = {
    moduleId: cases[0]?.file ?? '',
    project,
    errors: () => [],
    children: { allTests: () => tests, allSuites: () => [] },
  };
  const tests = cases.map(({ fullName, name, group }, i) => {
    const { state = 'skipped', error, evidence } = results[i] ?? {};
    const errors = error === undefined ? [] : [toldBy(error)];
    return {
      type: 'test',
      name,
      fullName,
      module,
      project,
      parent: group === '' ? module : { type: 'suite', name: group, parent: { type: 'module' } },
      result: () => ({ state, errors }),
      meta: () => ({ ...(evidence && { evidence }) }),
    } as unknown as TestCase;
  });
  return module as unknown as TestModule;
}

/** Returns the error as Vitest passes it to a reporter: with a diff, and with frames in source coordinates. */
function toldBy(error: unknown) {
  const told = processError(error);
  return { ...told, ...(told.stack !== undefined && { stack: originalStack(told.stack) }) };
}

async function withEnvironment<T>(
  settings: { readonly [name: string]: string },
  run: () => Promise<T>,
): Promise<T> {
  const before = Object.keys(settings).map((name) => [name, process.env[name]] as const);
  Object.assign(process.env, settings);
  try {
    return await run();
  } finally {
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  }
}

/** Removes the parts of a screen that change with every added line or test. */
function lasting(screen: string): string {
  return (
    screen
      .replace(/( at \S+:)\d+$/gm, '$1N')
      .replace(/^( +>? *)\d+ │/gm, '$1N │')
      // The continuation of a wrapped line has no number.
      .replace(/^( +>?) +│/gm, '$1   │')
      .replace(/[✓✗·]+ {2}(\d+\/\d+|not run)$/gm, '…')
      .replace(/^( *\S+) {2}\d+\/\d+ {2}\d+ ms$/m, '$1')
  );
}
