import type { Law } from '../../../testing/holds.ts';
import type { ClusterHistory } from '../history.ts';
import { HEALED_WITHIN_MS } from '../simulation.ts';

/**
 * Liveness: within upstream's own bounds after the last fault, everything is as the users asked, and it stays so. The
 * machines of a new cluster become ready nodes by themselves.
 */
export const heals: Law<ClusterHistory> = ({ bornMs, healedMs, restedMs, unmet, endMs }) => {
  const minutes = HEALED_WITHIN_MS / 60_000;
  const unborn = { atMs: healedMs, message: 'the nodes of the new cluster did not become ready' };
  const unhealed = unmet.map((each) => ({
    atMs: endMs,
    message: `${minutes} min after the last fault, ${each}`,
  }));
  return [...(bornMs === undefined ? [unborn] : []), ...(restedMs === undefined ? unhealed : [])];
};
