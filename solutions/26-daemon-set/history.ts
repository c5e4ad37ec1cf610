/** The revisions of a DaemonSet. `kubectl rollout undo` can restore the old revisions. */
import {
  type Client,
  type ControllerRevision,
  controllerRevisions,
  type DaemonSet,
  daemonSets,
  isAlreadyExists,
  isNotFound,
  keyOf,
  keyToString,
  type Pod,
  pods,
  sets,
} from '#harness';

/** All revisions of a DaemonSet. */
export interface History {
  /** The revision of its template. */
  readonly current: ControllerRevision;
  readonly old: readonly ControllerRevision[];
}

/** The client of a sync, and its record of written revisions. */
interface HistoryContext {
  readonly client: Client;
  /** Called with each written revision. */
  wrote(revision: ControllerRevision): void;
}

/**
 * Finds the revision of the DaemonSet's template, or creates it. A revision that becomes current again gets the highest
 * number.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/daemon/update.go DaemonSetsController.constructHistory
 *
 * @param candidates its revisions in the cache, and those without a controller
 */
export async function constructHistory(
  context: HistoryContext,
  set: DaemonSet,
  {
    candidates,
    ownPods,
  }: { readonly candidates: readonly ControllerRevision[]; readonly ownPods: readonly Pod[] },
): Promise<History> {
  const { client } = context;
  const claimed = await sets.claimOwned({
    client,
    owner: set,
    ownerResource: daemonSets,
    resource: controllerRevisions,
    candidates,
  });
  const all = await Promise.all(claimed.map((revision) => labelled(context, revision)));
  const equal = all.filter((revision) => sets.restores(revision, set.spec.template));
  const old = all.filter((revision) => !equal.includes(revision));
  const number = Math.max(0, ...old.map(({ revision }) => revision)) + 1;
  const found = equal.toSorted(sets.byRevision).at(-1);
  if (!found) return { current: await snapshot(context, set, number), old };
  await mergeDuplicates(context, { kept: found, equal, ownPods });
  if (found.revision >= number) return { current: found, old };
  const raised = await client.update(controllerRevisions, { ...found, revision: number });
  context.wrote(raised);
  return { current: raised, old };
}

/** Adds the label with the hash to a revision that lacks it. Its name is as good as a hash. */
async function labelled(
  { client, wrote }: HistoryContext,
  revision: ControllerRevision,
): Promise<ControllerRevision> {
  const { labels = {}, name } = revision.metadata;
  if (labels[sets.REVISION_LABEL] !== undefined) return revision;
  const metadata = { ...revision.metadata, labels: { ...labels, [sets.REVISION_LABEL]: name } };
  const updated = await client.update(controllerRevisions, { ...revision, metadata });
  wrote(updated);
  return updated;
}

/**
 * Keeps one of several revisions of the same template, and gives its hash to the pods.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/daemon/update.go dedupCurHistories
 *
 * Differs: only pods with the hash of a duplicate are relabelled. Upstream relabels every pod, also the pods of older
 * templates, which then count as updated
 */
async function mergeDuplicates(
  { client }: HistoryContext,
  {
    kept,
    equal,
    ownPods,
  }: {
    readonly kept: ControllerRevision;
    readonly equal: readonly ControllerRevision[];
    readonly ownPods: readonly Pod[];
  },
): Promise<void> {
  const duplicates = equal.filter((revision) => revision !== kept);
  const hashes = new Set(duplicates.map(({ metadata }) => metadata.labels?.[sets.REVISION_LABEL]));
  const hash = kept.metadata.labels?.[sets.REVISION_LABEL];
  for (const pod of ownPods) {
    const its = pod.metadata.labels?.[sets.REVISION_LABEL];
    if (its === undefined || !hashes.has(its)) continue;
    const body = { metadata: { uid: pod.metadata.uid, labels: { [sets.REVISION_LABEL]: hash } } };
    await client.patch(pods, keyOf(pod), { type: 'merge', body });
  }
  for (const duplicate of duplicates) await deleteRevision(client, duplicate);
}

/**
 * Creates the revision of the current template. If its name belongs to another template, the collision count rises, so
 * that the next sync tries another name.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/daemon/update.go DaemonSetsController.snapshot
 *
 * Differs: upstream hashes Go's dump of the template; here the hash is that of the data, as for a StatefulSet
 */
async function snapshot(
  { client, wrote }: HistoryContext,
  set: DaemonSet,
  revision: number,
): Promise<ControllerRevision> {
  const { collisionCount } = set.status;
  const made = sets.newRevision(set, { kind: 'DaemonSet', revision, collisionCount });
  try {
    const created = await client.create(controllerRevisions, made);
    wrote(created);
    return created;
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
    const existing = await client.get(controllerRevisions, keyOf(made));
    if (sets.isOwnRevision(existing, set)) return existing;
    const fresh = await client.get(daemonSets, keyOf(set));
    // A stale count explains the collision: the next sync knows the newer one.
    if (fresh.metadata.uid === set.metadata.uid && fresh.status.collisionCount === collisionCount) {
      const status = { ...fresh.status, collisionCount: (collisionCount ?? 0) + 1 };
      await client.updateStatus(daemonSets, { ...fresh, status });
    }
    throw error;
  }
}

/**
 * Deletes the oldest old revisions above `revisionHistoryLimit`. A revision with pods stays.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/daemon/update.go DaemonSetsController.cleanupHistory
 */
export async function cleanupHistory(
  client: Client,
  set: DaemonSet,
  { old, ownPods }: { readonly old: readonly ControllerRevision[]; readonly ownPods: readonly Pod[] },
): Promise<void> {
  let surplus = old.length - (set.spec.revisionHistoryLimit ?? 10);
  const live = new Set(ownPods.map(({ metadata }) => metadata.labels?.[sets.REVISION_LABEL]));
  for (const revision of old.toSorted(sets.byRevision)) {
    if (surplus <= 0) return;
    if (live.has(revision.metadata.labels?.[sets.REVISION_LABEL])) continue;
    await deleteRevision(client, revision);
    surplus--;
  }
}

async function deleteRevision(client: Client, revision: ControllerRevision): Promise<void> {
  try {
    const options = { preconditions: { uid: revision.metadata.uid } };
    await client.delete(controllerRevisions, keyOf(revision), options);
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}

/** Returns the name of a DaemonSet for messages. */
export function nameOf(set: DaemonSet): string {
  return `DaemonSet ${keyToString(keyOf(set))}`;
}
