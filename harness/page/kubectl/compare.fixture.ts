import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Components } from '../../contracts/component.ts';
import { kubectlVersion } from '../../kubectl/kubectl.ts';
import type { ComparedRow } from './compared-row.fixture.ts';
import { files } from './rows.fixture.ts';
import { type Output, Twins } from './twins.fixture.ts';

/**
 * Declares a test for each row: a real kubectl and the kubectl of the page run it, each against its own of two equal
 * clusters, and must print the same. Without kubectl the rows are skipped.
 */
export function compareRows(rows: readonly ComparedRow[]): void {
  const version = kubectlVersion();
  const title = version ?? 'is skipped: kubectl is not on the PATH';
  describe.skipIf(version === undefined)(`beside kubectl ${title}`, () => {
    let twins: Twins;
    let outputs: readonly Promise<{ readonly real: Output; readonly ours: Output }>[];
    beforeAll(async () => {
      const { components } = (await import('#components')) as { readonly components: Components };
      twins = await Twins.of(components, files);
      let last: Promise<unknown> = Promise.resolve();
      outputs = rows.map((row) => {
        const output = last.then(() => twins.run(row));
        last = output.catch(() => {});
        return output;
      });
    });
    afterAll(() => twins[Symbol.asyncDispose]());

    for (const [at, { line, differs, changes = [] }] of rows.entries()) {
      const subject = `${at + 1}. ${line}`;
      test(differs === undefined ? subject : `${subject}, which differs: ${differs}`, async () => {
        const { real, ours } = (await outputs[at]) as { readonly real: Output; readonly ours: Output };
        if (differs !== undefined) {
          expect(ours, 'Both print the same: take the reason off the row.').not.toEqual(real);
          return;
        }
        const older = (text: string): string => changes.reduce((all, { older: of }) => of(all), text);
        const isOld = ours.out !== real.out || ours.err !== real.err;
        expect(isOld ? { ...ours, out: older(ours.out), err: older(ours.err) } : ours).toEqual(real);
      });
    }
  });
}
