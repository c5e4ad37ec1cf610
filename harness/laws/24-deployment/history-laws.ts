import type { ReplicaSet } from '../../api/objects.ts';
import type { Breach } from '../../testing/holds.ts';
import { breachOf, known, type Law } from './budget-laws.ts';
import { breach, endOf } from './end-laws.ts';
import { isOf, revisionOf, sameTemplate } from './truth.ts';
import { sizes } from './words.ts';

/**
 * Safety, under every fault: only history is deleted, which is ReplicaSets of another template that want no pods and report
 * none; of those the lowest revisions first, and no more than are too many. Liveness: once a roll-out is complete, no
 * more are kept than asked for, and the newest has the highest revision.
 */
export const trimsHistory: Law = (history) => [...deletesOldest(history), ...leavesNoMore(history)];

const deletesOldest: Law = (history) =>
  history.orders.flatMap((order): Breach[] => {
    const { entry, versions, others } = order;
    const { previous, object } = entry;
    if (entry.type !== 'DELETED' || !previous) return [];
    const { name } = object.metadata;
    const bad = (message: string): Breach[] => [breachOf(entry, `deleted ${name}${message}`)];
    if (previous.spec.replicas > 0) return bad(`, which was to have ${previous.spec.replicas} replicas`);
    if (previous.status.replicas > 0) return bad(`, which had ${previous.status.replicas} pods`);
    if (versions.every(({ spec }) => sameTemplate(spec.template, previous.spec.template))) {
      const isOldest = !others.some(
        (other) => sameTemplate(other.spec.template, previous.spec.template) && isNoYounger(other, previous),
      );
      if (isOldest) return bad(', which is the newest: it has the template of the Deployment');
    }
    const kept = Math.min(...versions.map(({ spec }) => spec.revisionHistoryLimit));
    // Those that it cannot know to be gone already, and its own.
    const seen = others.flatMap((other) =>
      known(history, order, other)
        .filter((each) => each !== undefined)
        .filter((each) => versions.some((version) => isOf(each, version)))
        .slice(-1),
    );
    const old = seen.filter((each) =>
      versions.some(({ spec }) => !sameTemplate(spec.template, each.spec.template)),
    );
    if (old.length + 1 <= kept)
      return bad(`, but of ${old.length + 1} old ReplicaSets ${kept} are to be kept`);
    // One that it may have taken for too young, or for one that still has pods, was passed over for a reason.
    const lower = others.find((other) =>
      known(history, order, other).every(
        (each) =>
          each !== undefined &&
          versions.some((version) => isOf(each, version)) &&
          versions.some(({ spec }) => !sameTemplate(spec.template, each.spec.template)) &&
          isDeletable(each) &&
          revisionOf(each) < revisionOf(previous) &&
          revisionOf(each) > 0,
      ),
    );
    if (!lower) return [];
    return bad(
      ` (revision ${revisionOf(previous)}) before ${lower.metadata.name} (revision ${revisionOf(lower)})`,
    );
  });

function isNoYounger({ metadata: a }: ReplicaSet, { metadata: b }: ReplicaSet): boolean {
  return a.creationTimestamp <= b.creationTimestamp;
}

function isDeletable({ metadata, spec, status }: ReplicaSet): boolean {
  return (
    metadata.deletionTimestamp === undefined &&
    spec.replicas === 0 &&
    status.replicas === 0 &&
    (status.observedGeneration ?? 0) >= (metadata.generation ?? 0)
  );
}

/** Liveness. Once a roll-out is complete, no more old ReplicaSets are kept than asked for, and the newest has the highest revision. */
const leavesNoMore: Law = (history) => {
  const { deployment, current, old, complete } = endOf(history);
  if (!complete || !current) return [];
  const { revisionHistoryLimit: limit } = deployment.spec;
  if (old.length > limit) {
    return breach(
      history,
      `keeps ${old.length} old ReplicaSets (${sizes(old)}), though ${limit} are to be kept`,
    );
  }
  const higher = old.find((each) => revisionOf(each) >= revisionOf(current));
  if (!higher) return [];
  const message = `${higher.metadata.name}, which is old, has revision ${revisionOf(higher)}; the newest, ${current.metadata.name}, has ${revisionOf(current)}`;
  return breach(history, message, higher);
};
