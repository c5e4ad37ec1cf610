import type { framework } from '#harness';
import { namesOf } from './objects.fixture.ts';

/** Returns the names of the pods on each node of a snapshot. */
export const shownBy = ({ nodeInfos }: framework.Snapshot): Record<string, string[]> =>
  Object.fromEntries(nodeInfos.map(({ name, pods }) => [name, namesOf(pods.map(({ pod }) => pod))]));
