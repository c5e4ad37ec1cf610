import { describe, expect, test } from 'vitest';
import type { Components } from '../../contracts/component.ts';
import { kubectlVersion } from '../kubectl.ts';
import { courseOfApply } from './component-apply.ts';
import { goldenFile, goldenText } from './golden.ts';
import { courseOfKubectl } from './kubectl-apply.ts';
import { otherRows, recordedRows } from './rows.ts';

const { components } = (await import('#components')) as { readonly components: Components };

const version = kubectlVersion();
const title = version ?? 'is skipped: kubectl is not on the PATH';

describe.skipIf(version === undefined)(`kubectl ${title}`, () => {
  test.each(recordedRows)('sends the recorded requests for $name', async (row) => {
    const course = await courseOfKubectl(row);
    await expect(goldenText(row, course)).toMatchFileSnapshot(goldenFile(row));
  });

  test.each(otherRows)('sends the requests of an apply here for $name', async (row) => {
    const kubectl = goldenText(row, await courseOfKubectl(row));
    expect(goldenText(row, await courseOfApply(components.apply, row))).toBe(kubectl);
  });
});
