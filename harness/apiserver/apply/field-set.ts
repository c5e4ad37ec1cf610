import { compareElements, type Path, type PathElement } from './path-element.ts';

/**
 * A set of fields of an object, as a tree of path steps. A field and its subfields are independent members: `.spec` and
 * `.spec.replicas` are two fields.
 *
 * Sets are immutable. Functions return new sets, or their argument if nothing changes.
 *
 * Upstream: kubernetes-sigs/structured-merge-diff@v6.3.3 fieldpath/set.go Set
 */
export type FieldSet = ReadonlyMap<PathElement, FieldNode>;

/** A step in a {@link FieldSet}. It is a member, has members below it, or both. */
export interface FieldNode {
  /** Whether the field at this step is in the set. */
  readonly isMember: boolean;
  /** The fields below it. */
  readonly children: FieldSet;
}

/** The empty set. */
export const noFields: FieldSet = new Map();

/** Builds a {@link FieldSet}, path by path. */
export class FieldSetBuilder {
  readonly #root: MutableSet = new Map();

  /** Adds one field, without its parents. The empty path, which denotes the whole object, is never a member. */
  insert(path: Path): void {
    let level = this.#root;
    const last = path.length - 1;
    for (const [index, element] of path.entries()) {
      let node = level.get(element);
      if (!node) {
        node = { isMember: false, children: new Map() };
        level.set(element, node);
      }
      if (index === last) node.isMember = true;
      level = node.children;
    }
  }

  /** The set of all added fields. */
  get set(): FieldSet {
    return this.#root;
  }
}

type MutableSet = Map<PathElement, { isMember: boolean; children: MutableSet }>;

/** Returns the set of these fields. */
export function fieldSet(...paths: readonly Path[]): FieldSet {
  const builder = new FieldSetBuilder();
  for (const path of paths) builder.insert(path);
  return builder.set;
}

/** Reports whether the field is in the set. */
export function hasField(set: FieldSet, path: Path): boolean {
  let level: FieldSet | undefined = set;
  let node: FieldNode | undefined;
  for (const element of path) {
    node = level?.get(element);
    level = node?.children;
  }
  return node?.isMember ?? false;
}

/** Yields the fields of a set: those of one level in order, then those below each. */
export function* pathsOf(set: FieldSet, above: Path = []): Generator<Path> {
  const elements = [...set.keys()].sort(compareElements);
  for (const element of elements) if (set.get(element)?.isMember) yield [...above, element];
  for (const element of elements) yield* pathsOf(set.get(element)?.children ?? noFields, [...above, element]);
}

/** Returns the fields in either set. */
export function union(left: FieldSet, right: FieldSet): FieldSet {
  if (right.size === 0 || left === right) return left;
  if (left.size === 0) return right;
  const result = new Map(left);
  let changed = false;
  for (const [element, theirs] of right) {
    const ours = left.get(element);
    const children = ours ? union(ours.children, theirs.children) : theirs.children;
    const isMember = (ours?.isMember ?? false) || theirs.isMember;
    if (ours && ours.isMember === isMember && ours.children === children) continue;
    result.set(element, { isMember, children });
    changed = true;
  }
  return changed ? result : left;
}

/** Returns the fields in both sets. */
export function intersection(left: FieldSet, right: FieldSet): FieldSet {
  return changedNodes(left, (ours, element) => {
    const theirs = right.get(element);
    if (!theirs) return undefined;
    return {
      isMember: ours.isMember && theirs.isMember,
      children: intersection(ours.children, theirs.children),
    };
  });
}

/** Returns the fields of the first set that are not in the second. Parents and subfields do not count. */
export function difference(left: FieldSet, right: FieldSet): FieldSet {
  if (right.size === 0) return left;
  return changedNodes(left, (ours, element) => {
    const theirs = right.get(element);
    if (!theirs) return ours;
    return {
      isMember: ours.isMember && !theirs.isMember,
      children: difference(ours.children, theirs.children),
    };
  });
}

/** Like {@link difference}, but also removes the subfields of the second set's fields. */
export function recursiveDifference(left: FieldSet, right: FieldSet): FieldSet {
  if (right.size === 0) return left;
  return changedNodes(left, (ours, element) => {
    const theirs = right.get(element);
    if (!theirs) return ours;
    if (theirs.isMember) return undefined;
    return { isMember: ours.isMember, children: recursiveDifference(ours.children, theirs.children) };
  });
}

/** Returns the fields on the way to `path`, the field itself, and its subfields. */
export function onlyAround(set: FieldSet, [first, ...rest]: Path): FieldSet {
  if (first === undefined) return set;
  return changedNodes(set, (node, element) => {
    if (element !== first) return undefined;
    return { isMember: node.isMember, children: onlyAround(node.children, rest) };
  });
}

/** Reports whether both sets have the same fields. */
export function sameFields(left: FieldSet, right: FieldSet): boolean {
  if (left === right) return true;
  if (left.size !== right.size) return false;
  for (const [element, { isMember, children }] of left) {
    const theirs = right.get(element);
    if (theirs?.isMember !== isMember || !sameFields(children, theirs.children)) return false;
  }
  return true;
}

/** Returns the set with each node changed. Drops nodes that then lead to no member. */
function changedNodes(
  set: FieldSet,
  change: (node: FieldNode, element: PathElement) => FieldNode | undefined,
): FieldSet {
  const result = new Map<PathElement, FieldNode>();
  let changed = false;
  for (const [element, node] of set) {
    const next = change(node, element);
    const isSame = next?.isMember === node.isMember && next.children === node.children;
    changed ||= !isSame;
    if (isSame) result.set(element, node);
    else if (next && (next.isMember || next.children.size > 0)) result.set(element, next);
  }
  return changed ? result : set;
}
