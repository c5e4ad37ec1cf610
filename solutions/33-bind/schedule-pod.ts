/** Level 4 · One pod, one node. */
import { scheduling } from '#given/33-bind';

export function schedulePod(request: scheduling.SchedulePod): scheduling.ScheduleResult {
  const { profile, state, pod, snapshot, random, startIndex = 0 } = request;
  const { filtering, scoring } = profile;
  const numAllNodes = snapshot.nodeInfos.length;
  if (numAllNodes === 0) throw new scheduling.NoNodesAvailableError();
  const { plugins } = filtering;
  const found = filtering.findNodesThatFit({ plugins, state, pod, snapshot, startIndex });
  const { feasible, diagnosis, nextStartIndex } = found;
  const [first] = feasible;
  if (!first) {
    const message = filtering.fitErrorMessage(numAllNodes, diagnosis);
    throw new scheduling.FitError({ pod, numAllNodes, diagnosis, message });
  }
  // A single feasible node needs no scores.
  if (feasible.length === 1) return { suggestedHost: first.name, nextStartIndex };
  const scores = scoring.prioritizeNodes({ plugins: scoring.plugins, state, pod, feasible, snapshot });
  return { suggestedHost: scoring.selectHost(scores, random), nextStartIndex };
}
