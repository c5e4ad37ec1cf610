import type { ObjectKey } from '../../../api/objects.ts';
import type { Resource } from '../../../api/resource.ts';
import type { JsonMap } from '../scenario/fields.ts';
import type { ApplyPlan, DocumentPlan } from '../scenario/index.ts';
import { type KindPlan, kinds } from '../scenario/kinds.ts';
import { isEmpty, manifestOf, sourceOf } from '../scenario/manifests.ts';

/** The object of a document, or the reason for its absence. */
export type ExpectedObject = {
  readonly source: string;
  /** The number of the document. */
  readonly document: number;
} & (
  | {
      readonly kind: KindPlan;
      readonly resource: Resource;
      readonly key: ObjectKey;
      /** The manifest, with its namespace. */
      readonly manifest: JsonMap;
    }
  | { readonly problem: string }
);

/** The object of a document that has one. */
export type Wanted = Extract<ExpectedObject, { readonly key: ObjectKey }>;

/** Returns what the documents of an apply mean. */
export function expectedOf({ documents, options = {} }: ApplyPlan, widgets: Resource): ExpectedObject[] {
  const { namespace = 'default', required = false } = options;
  return documents.flatMap((plan, document) => {
    const source = sourceOf(document);
    if (isEmpty(plan)) return [];
    return objectsIn(plan).map((object): ExpectedObject => {
      if ('broken' in object) return { source, document, problem: object.broken };
      const kind = kinds[object.kind];
      const resource = kind.resource ?? widgets;
      const manifest = manifestOf(object);
      const metadata = manifest.metadata as JsonMap;
      const name = String(metadata.name);
      if (!kind.namespaced) return { source, document, kind, resource, key: { name }, manifest };
      if (required && object.namespace && object.namespace !== namespace) {
        return {
          source,
          document,
          problem: `the namespace "${object.namespace}" does not match the namespace "${namespace}"`,
        };
      }
      const place = object.namespace || namespace;
      const placed = { ...manifest, metadata: { ...metadata, namespace: place } };
      return { source, document, kind, resource, key: { namespace: place, name }, manifest: placed };
    });
  });
}

/** Returns the objects of a document. The items of a list in a list come after everything beside that list. */
function objectsIn(...level: readonly DocumentPlan[]): Exclude<DocumentPlan, { list: unknown }>[] {
  if (level.length === 0) return [];
  const here = level.flatMap((each) => ('list' in each ? [] : [each]));
  return [...here, ...objectsIn(...level.flatMap((each) => ('list' in each ? each.list : [])))];
}
