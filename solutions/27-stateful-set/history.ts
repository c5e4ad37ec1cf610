/** The revisions of a StatefulSet. */
import {
  type Client,
  type ControllerRevision,
  controllerRevisions,
  isAlreadyExists,
  isNotFound,
  keyOf,
  type New,
  type Pod,
  type StatefulSet,
  semanticEqual,
  sets,
} from '#harness';

/** The two revisions of an update, and the number of name collisions. */
export interface Revisions {
  /** The revision of the last complete update. */
  readonly current: ControllerRevision;
  /** The revision of the set's template. */
  readonly update: ControllerRevision;
  readonly collisionCount: number;
}

/** The client of a sync, and its record of written revisions. */
interface HistoryContext {
  readonly client: Client;
  /** Called with each written revision. */
  wrote(revision: ControllerRevision): void;
}

/**
 * Finds the revision of the set's template, or creates it. A revision that becomes the update again gets the highest
 * number.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/statefulset/stateful_set_control.go getStatefulSetRevisions
 *
 * @param all the set's revisions, sorted
 */
export async function getRevisions(
  context: HistoryContext,
  set: StatefulSet,
  all: readonly ControllerRevision[],
): Promise<Revisions> {
  const { template } = set.spec;
  const number = (all.at(-1)?.revision ?? 0) + 1;
  const last = all.at(-1);
  const equal = all.findLast((revision) => sets.restores(revision, template));
  // A revision of another release may differ only in fields that mean the same.
  const isLast = last !== undefined && semanticEqual(sets.templateOf(last), template);
  const known = isLast ? last : equal && (await renumbered(context, equal, number));
  const { collisionCount = 0 } = set.status;
  const { update, collisionCount: collisions } = known
    ? { update: known, collisionCount }
    : await createRevision(context, set, { revision: number, collisionCount });
  const current = all.find(({ metadata }) => metadata.name === set.status.currentRevision) ?? update;
  return { current, update, collisionCount: collisions };
}

async function renumbered(
  { client, wrote }: HistoryContext,
  revision: ControllerRevision,
  number: number,
): Promise<ControllerRevision> {
  const updated = await client.update(controllerRevisions, { ...revision, revision: number });
  wrote(updated);
  return updated;
}

/**
 * Creates a revision. While its name belongs to another template, the collision count rises and changes the name.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/history/controller_history.go CreateControllerRevision
 */
async function createRevision(
  { client, wrote }: HistoryContext,
  set: StatefulSet,
  options: { readonly revision: number; readonly collisionCount: number },
): Promise<{ readonly update: ControllerRevision; readonly collisionCount: number }> {
  const { revision } = options;
  for (let { collisionCount } = options; ; collisionCount++) {
    const made: New<ControllerRevision> = sets.newRevision(set, {
      kind: 'StatefulSet',
      revision,
      collisionCount,
    });
    try {
      const update = await client.create(controllerRevisions, made);
      wrote(update);
      return { update, collisionCount };
    } catch (error) {
      if (!isAlreadyExists(error)) throw error;
      const existing = await client.get(controllerRevisions, keyOf(made));
      if (sets.isOwnRevision(existing, set)) return { update: existing, collisionCount };
    }
  }
}

/**
 * Deletes the oldest revisions above `revisionHistoryLimit` that neither a pod nor the status refers to.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/statefulset/stateful_set_control.go truncateHistory
 *
 * @param all the set's revisions, sorted
 */
export async function truncateHistory(
  client: Client,
  set: StatefulSet,
  {
    all,
    revisions,
    pods,
  }: {
    readonly all: readonly ControllerRevision[];
    readonly revisions: Revisions;
    readonly pods: readonly Pod[];
  },
): Promise<void> {
  const { revisionHistoryLimit = 10 } = set.spec;
  if (revisionHistoryLimit < 0) return;
  const live = new Set([
    revisions.current.metadata.name,
    revisions.update.metadata.name,
    ...pods.map(({ metadata }) => metadata.labels?.[sets.REVISION_LABEL]),
  ]);
  const unused = all.filter(({ metadata }) => !live.has(metadata.name));
  for (const revision of unused.slice(0, Math.max(0, unused.length - revisionHistoryLimit))) {
    const options = { preconditions: { uid: revision.metadata.uid } };
    await client.delete(controllerRevisions, keyOf(revision), options).catch((error: unknown) => {
      if (!isNotFound(error)) throw error;
    });
  }
}
