import type { KubeObject } from '../../../api/objects.ts';
import { annotationOf, nameOf, type StoredObject } from '../history.ts';
import type { Judged } from './findings.ts';
import type { Course } from './flow.ts';

/**
 * The kinds of a scenario that are pruned. kubectl has a list; service accounts, definitions and custom resources are
 * not in it.
 */
const PRUNED = new Set(['ConfigMap', 'Deployment', 'Service', 'Namespace']);

/** ★ Judges `prune`: it deletes exactly the selected objects that were applied before and are in no document now. */
export function judgePrune(judged: Judged, courses: readonly Course[]): void {
  const { apply, findings, name } = judged;
  const { prune, dryRun } = apply.options;
  const deletes = apply.requests.filter(({ verb }) => verb === 'delete' || verb === 'deleteCollection');
  if (!prune) return;
  const endMs = apply.endMs ?? apply.startMs;
  const hasFailed =
    apply.expected.some((each) => 'problem' in each) ||
    courses.some(({ outcome }) => outcome.is === 'failed');
  const visited = new Set(courses.flatMap(({ wanted }) => wanted.key.namespace ?? []));
  const { namespace } = apply.options;
  if (namespace.required) visited.add(namespace.name);
  const uids = new Set(
    courses.flatMap(({ outcome }) => ('object' in outcome ? [outcome.object.metadata.uid] : [])),
  );
  const names = new Set(courses.map((each) => each.name));
  const isDue = ({ resource, object }: StoredObject): boolean =>
    !hasFailed &&
    PRUNED.has(resource.kind) &&
    (!resource.namespaced || visited.has(object.metadata.namespace ?? '')) &&
    isSelected(object, prune.selector) &&
    annotationOf(object) !== undefined &&
    !uids.has(object.metadata.uid) &&
    !names.has(nameOf(resource, object.metadata));
  const due = new Set(
    apply.before.filter(isDue).map(({ resource, object }) => nameOf(resource, object.metadata)),
  );
  if (due.size > 0) findings.meet('prunes');
  for (const request of deletes) {
    const pruned = nameOf(request.resource, request.key);
    if (due.has(pruned) || apply.disturbed.has(pruned)) continue;
    const why = hasFailed ? 'although something failed' : 'which it must keep';
    findings.report('prunes', request.sentMs, `${name} pruned ${pruned}, ${why}.`);
  }
  const done = new Set(
    dryRun === 'client'
      ? (apply.report?.applied ?? [])
          .filter(({ outcome }) => outcome === 'pruned')
          .map(({ resource, key }) => nameOf(resource, key))
      : deletes.map(({ resource, key }) => nameOf(resource, key)),
  );
  const reported = (apply.report?.applied ?? [])
    .filter(({ outcome }) => outcome === 'pruned')
    .map(({ resource, key }) => nameOf(resource, key));
  const failed = deletes.filter(({ error }) => error !== undefined);
  for (const { resource, key, sentMs } of failed) {
    const kept = nameOf(resource, key);
    if (reported.includes(kept)) {
      findings.report('prunes', sentMs, `${name} reports ${kept} as pruned; the server did not confirm it.`);
    }
    if (apply.report?.errors.length === 0) {
      findings.report('prunes', sentMs, `${name} reports no error, although the delete of ${kept} failed.`);
    }
  }
  for (const each of due) {
    // The first error ends a prune.
    if (done.has(each) || apply.disturbed.has(each) || failed.length > 0) continue;
    findings.report(
      'prunes',
      endMs,
      `${name} kept ${each}, which was applied before, is selected, and is in no document.`,
    );
  }
  if (failed.length === 0 && reported.length !== done.size) {
    const message = `${name} reports ${reported.length} pruned objects; it deleted ${done.size}.`;
    findings.report('prunes', endMs, message);
  }
}

function isSelected(
  { metadata: { labels = {} } }: KubeObject,
  selector: Readonly<Record<string, string>>,
): boolean {
  return Object.entries(selector).every(([key, value]) => labels[key] === value);
}
