import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Components } from '../contracts/component.ts';
import { knownFailure, knownFailures } from './known-failures.ts';
import { kubectlVersion } from './kubectl.ts';
import { inLanes } from './lanes.ts';
import { scripts } from './scripts/index.ts';
import { Session } from './session.ts';

const version = kubectlVersion();
const minor = Number(version?.split('.')[1]);

/** All scripts together, on a machine that is busy with other tests. */
const TIMEOUT_MS = 300_000;

/** kubectl waits for the apiserver, and the apiserver for kubectl: more scripts at once use both cores. */
const LANES = 3;

describe.skipIf(version === undefined)(
  `kubectl ${version ?? 'is skipped: there is none on the PATH'}, in upstream's test/cmd`,
  { timeout: TIMEOUT_MS },
  () => {
    let session: Session;
    let outcomes: readonly Promise<readonly (string | undefined)[]>[];
    beforeAll(async () => {
      const { components } = (await import('#components')) as { readonly components: Components };
      session = await Session.ofControlPlane(components);
      outcomes = inLanes(LANES, scripts, ({ steps }, index) => session.carryOut(`script-${index}`, steps));
    }, TIMEOUT_MS);
    afterAll(() => session[Symbol.asyncDispose]());

    for (const [index, script] of scripts.entries()) {
      describe(script.source, () => {
        for (const [at, { command }] of script.steps.entries()) {
          const known = knownFailure(script.source, command, minor);
          test(known === undefined ? command : `${command}, which does not work yet: ${known}`, async () => {
            const wrong = (await outcomes[index])?.[at];
            if (known === undefined) {
              if (wrong !== undefined) throw new Error(wrong);
            } else if (wrong === undefined) throw new Error('It works: take it off the known failures.');
          });
        }
      });
    }
  },
);

test('every known failure is a command of a script', () => {
  const listed = knownFailures.flatMap(({ commands }) =>
    commands.map(([source, command]) => `${source}: ${command}`),
  );
  const all = scripts.flatMap(({ source, steps }) => steps.map(({ command }) => `${source}: ${command}`));
  expect(listed.filter((one) => !all.includes(one))).toEqual([]);
});

test('every script is named once', () => {
  expect(new Set(scripts.map(({ source }) => source)).size).toBe(scripts.length);
});
