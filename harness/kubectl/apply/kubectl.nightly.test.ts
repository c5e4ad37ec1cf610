import { describe, expect, test } from 'vitest';
import { kubectlVersion } from '../kubectl.ts';
import { inLanes } from '../lanes.ts';
import type { Course } from './course.ts';
import { goldenFile, goldenText } from './golden.ts';
import { courseOfKubectl } from './kubectl-apply.ts';
import { rows } from './rows.ts';

/** kubectl and the apiserver wait for each other, so several rows in parallel use both cores. */
const LANES = 3;

const version = kubectlVersion();
const title = version ?? 'is skipped: kubectl is not on the PATH';

describe.skipIf(version === undefined)(`kubectl ${title}`, () => {
  const courses: Promise<Course>[] = [];
  // A row begins with the first test, so that a filter by name does not run the others.
  const begun = (): readonly Promise<Course>[] => {
    if (courses.length === 0) courses.push(...inLanes(LANES, rows, courseOfKubectl));
    return courses;
  };

  test.each(rows.map((row, index) => ({ name: row.name, row, index })))(
    'sends the recorded requests for $name',
    async ({ row, index }) => {
      const course = await (begun()[index] as Promise<Course>);
      await expect(goldenText(row, course)).toMatchFileSnapshot(goldenFile(row));
    },
  );
});
