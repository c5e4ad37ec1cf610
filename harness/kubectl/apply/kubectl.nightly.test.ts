import { beforeAll, describe, expect, test } from 'vitest';
import type { Components } from '../../contracts/component.ts';
import { kubectlVersion } from '../kubectl.ts';
import { inLanes } from '../lanes.ts';
import { courseOfApply } from './component-apply.ts';
import type { Course } from './course.ts';
import { goldenFile, goldenText } from './golden.ts';
import { courseOfKubectl } from './kubectl-apply.ts';
import { otherRows, recordedRows } from './rows.ts';

const { components } = (await import('#components')) as { readonly components: Components };

/** kubectl and the apiserver wait for each other, so several rows in parallel use both cores. */
const LANES = 3;

const version = kubectlVersion();
const title = version ?? 'is skipped: kubectl is not on the PATH';

describe.skipIf(version === undefined)(`kubectl ${title}`, () => {
  const courses = new Map<string, Promise<Course>>();
  beforeAll(() => {
    const rows = [...recordedRows, ...otherRows];
    const begun = inLanes(LANES, rows, courseOfKubectl);
    for (const [index, { name }] of rows.entries()) courses.set(name, begun[index] as Promise<Course>);
  });
  const courseOf = (name: string): Promise<Course> => courses.get(name) as Promise<Course>;

  test.each(recordedRows)('sends the recorded requests for $name', async (row) => {
    await expect(goldenText(row, await courseOf(row.name))).toMatchFileSnapshot(goldenFile(row));
  });

  test.each(otherRows)('sends the requests of an apply here for $name', async (row) => {
    const kubectl = goldenText(row, await courseOf(row.name));
    expect(goldenText(row, await courseOfApply(components.apply, row))).toBe(kubectl);
  });
});
