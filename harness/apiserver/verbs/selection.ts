import {
  everything as everyField,
  type Selector as FieldSelector,
  parseSelector as parseFieldSelector,
} from '../../api/field-selector.ts';
import {
  everything as everyLabel,
  type Selector as LabelSelector,
  parse as parseLabelSelector,
} from '../../api/label-selector.ts';
import type { KubeObject } from '../../api/objects.ts';
import { errors } from '../../api/status.ts';
import type { Selection } from '../../contracts/client.ts';
import type { Kind } from '../kind.ts';
import type { ExactLabel } from '../storage/label-index.ts';
import type { WatchScope } from '../storage/watch-cache.ts';

/** A parsed selection: the matching objects, and the scope to search. */
export interface SelectionPredicate {
  readonly namespace: string | undefined;
  readonly scope: WatchScope;
  /** Whether the namespace is the only criterion. Then the remaining items on later pages can be counted. */
  readonly everything: boolean;
  /** Labels that every matching object has. */
  readonly labels: readonly ExactLabel[];
  matches(object: KubeObject): boolean;
}

/** The properties of a kind that define how its objects are selected. */
type Selectable<T extends KubeObject> = Pick<
  Kind<T>,
  'resource' | 'selectableFields' | 'selectableFieldNames' | 'watchIndex'
>;

/**
 * Parses the selection of a request.
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/storage/selection_predicate.go SelectionPredicate
 *
 * @throws StatusError BadRequest when a selector cannot be parsed, or names a field that is not selectable
 */
export function parseSelection<T extends KubeObject>(
  kind: Selectable<T>,
  selection: Selection,
): SelectionPredicate {
  const labels = parsed(selection.labelSelector, parseLabelSelector, everyLabel) as LabelSelector;
  const fields = parsed(selection.fieldSelector, parseFieldSelector, everyField) as FieldSelector;
  for (const { field } of fields.requirements) mustBeSelectable(kind, field);

  const namespace = kind.resource.namespaced
    ? selection.namespace || fields.requiresExactMatch('metadata.namespace')
    : undefined;
  const everything = labels.empty && fields.empty;
  return {
    namespace,
    everything,
    scope: scopeOf(kind, namespace, fields),
    labels: exactLabels(labels),
    matches(object) {
      const { metadata } = object;
      if (namespace !== undefined && metadata.namespace !== namespace) return false;
      if (everything) return true;
      if (!labels.matches(metadata.labels)) return false;
      return fields.empty || fields.matches(fieldsOf(kind, object as T));
    },
  };
}

function exactLabels(labels: LabelSelector): readonly ExactLabel[] {
  return labels.requirements.flatMap(({ key }) => {
    const value = labels.requiresExactMatch(key);
    return value === undefined ? [] : [[key, value] as const];
  });
}

function fieldsOf<T extends KubeObject>(kind: Selectable<T>, object: T): Record<string, string> {
  const { name, namespace } = object.metadata;
  return {
    ...kind.selectableFields(object),
    'metadata.name': name,
    ...(namespace === undefined ? {} : { 'metadata.namespace': namespace }),
  };
}

function scopeOf<T extends KubeObject>(
  kind: Selectable<T>,
  namespace: string | undefined,
  fields: FieldSelector,
): WatchScope {
  const name = fields.requiresExactMatch('metadata.name');
  const indexed = kind.watchIndex && fields.requiresExactMatch(kind.watchIndex.field);
  return {
    ...(namespace === undefined ? {} : { namespace }),
    ...(name === undefined ? {} : { name }),
    ...(indexed === undefined ? {} : { indexed }),
  };
}

function parsed<S>(text: string | undefined, parse: (text: string) => S, everything: S): S {
  if (!text) return everything;
  try {
    return parse(text);
  } catch (error) {
    throw errors.badRequest((error as Error).message);
  }
}

/**
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/apis/core/v1/conversion.go addConversionFuncs and its siblings;
 * kubernetes/apimachinery@v0.36.3 pkg/runtime/conversion.go DefaultMetaV1FieldSelectorConversion
 */
function mustBeSelectable(kind: Pick<Kind, 'selectableFieldNames'>, field: string): void {
  if (field === 'metadata.name' || field === 'metadata.namespace') return;
  if (kind.selectableFieldNames.includes(field)) return;
  throw errors.badRequest(
    kind.selectableFieldNames.length > 0
      ? `field label not supported: ${field}`
      : `"${field}" is not a known field selector: only "metadata.name", "metadata.namespace"`,
  );
}
