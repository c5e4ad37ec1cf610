import { afterAll, beforeAll, describe, test } from 'vitest';
import type { Components } from '../contracts/component.ts';
import { knownFailure } from './known-failures.ts';
import { kubectlVersion } from './kubectl.ts';
import { inLanes } from './lanes.ts';
import type { Script } from './script.ts';
import { Session } from './session.ts';

/** kubectl and the apiserver wait for each other, so several scripts in parallel use both cores. */
const LANES = 3;

/** Declares a test for each command of the scripts. A real kubectl runs them against one cluster; without kubectl they are skipped. */
export function testScripts(scripts: readonly Script[]): void {
  const version = kubectlVersion();
  const minor = Number(version?.split('.')[1]);
  const title = version ?? 'is skipped: it is not on the PATH';
  describe.skipIf(version === undefined)(`kubectl ${title}, in upstream's test/cmd`, () => {
    let session: Session;
    let outcomes: readonly Promise<readonly (string | undefined)[]>[];
    beforeAll(async () => {
      const { components } = (await import('#components')) as { readonly components: Components };
      session = await Session.ofControlPlane(components);
      outcomes = inLanes(LANES, scripts, ({ steps }, index) => session.carryOut(`script-${index}`, steps));
    });
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
  });
}
