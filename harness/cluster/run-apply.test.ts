import { describe, expect, test } from 'vitest';
import type { Apply, ApplyContext, ApplyOptions } from '../contracts/apply/index.ts';
import { RequestClient } from '../contracts/request-client.ts';
import { Simulation } from '../sim/index.ts';
import { runApply } from './run-apply.ts';

const OPTIONS: ApplyOptions = { namespace: { name: 'default', required: false } };

/** Runs an apply without documents, and returns its result or the message of its error. */
async function ran(apply: unknown, options: ApplyOptions = OPTIONS): Promise<unknown> {
  const sim = new Simulation({ seed: 1 });
  const context: ApplyContext = {
    client: new RequestClient(() => Promise.reject(new Error('No request is expected.'))),
    clock: sim.clock,
    mappingOf: async () => undefined,
  };
  const running = runApply(apply as Apply, context, [], options);
  return sim.settle(running.catch((error: Error) => `${error.name}: ${error.message}`));
}

describe('The run of an apply', () => {
  const report = { applied: [], warnings: [], errors: [] };

  test('returns its report', async () => {
    expect(await ran(async () => report)).toBe(report);
  });

  test.each([
    ['rejects', async () => Promise.reject(new TypeError('x is not a function.'))],
    [
      'throws',
      () => {
        throw new TypeError('x is not a function');
      },
    ],
  ])('explains that it %s', async (_, apply) => {
    expect(await ran(apply)).toBe(
      'BrokenApply: The apply of kata 11 rejects: TypeError: x is not a function. It must return each error in the errors of its report.',
    );
  });

  test.each([undefined, {}, { applied: [], warnings: [] }, 'done'])(
    'explains that it returns no report: %j',
    async (result) => {
      expect(await ran(async () => result)).toMatch(/^BrokenApply: The apply of kata 11 returns no report/);
    },
  );

  test('explains that it hangs', async () => {
    expect(await ran(() => new Promise(() => {}))).toMatch(
      /^BrokenApply: The apply of kata 11 has not ended after 10 minutes of the cluster's time\./,
    );
  });

  test('has no limit while force waits for a deletion', async () => {
    const slow: Apply = async ({ clock }) => {
      await clock.sleep(1_200_000);
      return report;
    };
    expect(await ran(slow, { ...OPTIONS, force: true })).toBe(report);
    expect(await ran(slow)).toMatch(/has not ended/);
  });
});
