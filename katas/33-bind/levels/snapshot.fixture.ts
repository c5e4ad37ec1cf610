import type { framework } from '#harness';
import { namesOf } from './objects.fixture.ts';

/** Which pods a snapshot shows on which node. */
export const shownBy = ({ nodeInfos }: framework.Snapshot): Record<string, string[]> =>
  Object.fromEntries(nodeInfos.map(({ name, pods }) => [name, namesOf(pods.map(({ pod }) => pod))]));
