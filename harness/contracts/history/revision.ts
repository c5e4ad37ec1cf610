import type * as core from '#api/core/v1';
import type { ControllerRevision, DaemonSet, New, StatefulSet } from '../../api/objects.ts';
import { controllerOf } from '../../api/predicates.ts';
import { newControllerRef } from '../controller-ref.ts';

/** The controllers whose old templates are ControllerRevisions. */
export type PodSet = DaemonSet | StatefulSet;

/** The pod template of such a controller. */
export type PodTemplate = core.PodTemplateSpec;

/** The label of a pod with the revision that it was created from: a hash for a DaemonSet, a name for a StatefulSet. */
export const REVISION_LABEL = 'controller-revision-hash';

/** The label of a StatefulSet's revisions with their hash. */
const HASH_LABEL = 'controller.kubernetes.io/hash';

/**
 * Returns the data of a revision: a strategic merge patch that restores this template. `kubectl rollout undo` sends it.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/daemon/update.go getPatch,
 * pkg/controller/statefulset/stateful_set_utils.go getPatch
 */
export function revisionData(template: PodTemplate): NonNullable<ControllerRevision['data']> {
  return { spec: { template: { ...template, $patch: 'replace' } } };
}

/**
 * Returns whether a revision can stand for this set's own one, because it restores the same template. A revision of an
 * earlier set of the same name cannot: the garbage collector deletes it.
 *
 * Differs: upstream uses the revision of the earlier set, and is left without a revision when that is deleted
 *
 * @throws Error for a revision of an earlier set: the caller tries again until it is deleted
 */
export function isOwnRevision(revision: ControllerRevision, set: PodSet): boolean {
  const owner = controllerOf(revision);
  if (owner && owner.uid !== set.metadata.uid && owner.name === set.metadata.name) {
    throw new Error(
      `Failed to create revision ${revision.metadata.name}: an earlier ${owner.kind} still has it.`,
    );
  }
  return (!owner || owner.uid === set.metadata.uid) && restores(revision, set.spec.template);
}

/** Returns the template that a revision restores. */
export function templateOf({ data }: ControllerRevision): PodTemplate {
  const { spec } = data as { readonly spec?: { readonly template?: PodTemplate & { $patch?: string } } };
  const { $patch, ...template } = spec?.template ?? {};
  return template;
}

/**
 * Returns whether a revision restores exactly this template.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/history/controller_history.go EqualRevision,
 * pkg/controller/daemon/update.go Match
 */
export function restores({ data }: ControllerRevision, template: PodTemplate): boolean {
  return textOfData(data) === textOfTemplate(template);
}

/**
 * Returns the hash of a revision's data, as in its name: `776999688b`. Another collision count gives the same data another
 * hash.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/history/controller_history.go HashControllerRevision;
 * kubernetes/apimachinery@v0.36.3 pkg/util/rand/rand.go SafeEncodeString
 */
export function revisionHash(template: PodTemplate, collisionCount?: number): string {
  const text = textOfTemplate(template) + (collisionCount === undefined ? '' : String(collisionCount));
  // Decimal digits would be just as unique. These characters form no words.
  return [...String(fnv32(text))].map((digit) => SAFE_DIGITS[Number(digit)]).join('');
}

const SAFE_DIGITS = '456789bcdf';

function fnv32(text: string): number {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash, 0x01000193) ^ byte;
  return hash >>> 0;
}

/**
 * Returns the name of a revision: the name of its owner, truncated if it is too long, and the hash.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/history/controller_history.go ControllerRevisionName
 */
export function revisionName(owner: string, hash: string): string {
  return `${owner.slice(0, 223)}-${hash}`;
}

/** The parts of a new revision that are not in its owner. */
interface NewRevisionOptions {
  readonly kind: 'DaemonSet' | 'StatefulSet';
  readonly revision: number;
  readonly collisionCount?: number | undefined;
}

/**
 * Returns the revision of the owner's current template. Its kind determines the key of the label with the hash.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/history/controller_history.go NewControllerRevision,
 * pkg/controller/daemon/update.go DaemonSetsController.snapshot
 */
export function newRevision(owner: PodSet, options: NewRevisionOptions): New<ControllerRevision> {
  const { kind, revision, collisionCount } = options;
  const { namespace, name, annotations } = owner.metadata;
  const { template } = owner.spec;
  const hash = revisionHash(template, collisionCount);
  const label = kind === 'DaemonSet' ? REVISION_LABEL : HASH_LABEL;
  return {
    metadata: {
      ...(namespace === undefined ? {} : { namespace }),
      name: revisionName(name, hash),
      labels: { ...template.metadata?.labels, [label]: hash },
      ...(annotations === undefined ? {} : { annotations }),
      ownerReferences: [newControllerRef(owner, kind)],
    },
    data: revisionData(template),
    revision,
  };
}

/**
 * Compares revisions for `toSorted`: the lowest number first, then the oldest, then by name.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/history/controller_history.go byRevision
 */
export function byRevision(a: ControllerRevision, b: ControllerRevision): number {
  if (a.revision !== b.revision) return a.revision - b.revision;
  const [x, y] = [a.metadata, b.metadata];
  if (x.creationTimestamp !== y.creationTimestamp) return x.creationTimestamp < y.creationTimestamp ? -1 : 1;
  return x.name < y.name ? -1 : 1;
}

const templateTexts = new WeakMap<object, string>();
const dataTexts = new WeakMap<object, string>();

function textOfTemplate(template: PodTemplate): string {
  return remembered(templateTexts, template, () => goJson(revisionData(template)));
}

function textOfData(data: ControllerRevision['data']): string {
  return remembered(dataTexts, data ?? {}, () => goJson(data ?? {}));
}

function remembered(texts: WeakMap<object, string>, key: object, make: () => string): string {
  const known = texts.get(key);
  if (known !== undefined) return known;
  const text = make();
  texts.set(key, text);
  return text;
}

/** Prints a value as Go prints a map: with sorted keys, and with `<`, `>` and `&` escaped. */
function goJson(value: unknown): string {
  const text = JSON.stringify(value, (_, each: unknown) =>
    each !== null && typeof each === 'object' && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1)))
      : each,
  );
  return text.replace(
    /[<>&\u2028\u2029]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
