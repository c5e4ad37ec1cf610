import type { KubeObject, List } from '../../api/objects.ts';

/** The API versions of the kinds that an answer can be converted to. */
export type MetaVersion = 'meta.k8s.io/v1' | 'meta.k8s.io/v1beta1';

/**
 * The metadata of an object of any kind.
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/apis/meta/v1/types.go PartialObjectMetadata
 */
export interface PartialObjectMetadata {
  readonly kind: 'PartialObjectMetadata';
  readonly apiVersion: MetaVersion;
  readonly metadata: KubeObject['metadata'];
}

/** Upstream: kubernetes/apimachinery@v0.36.3 pkg/apis/meta/v1/types.go PartialObjectMetadataList */
interface PartialObjectMetadataList {
  readonly kind: 'PartialObjectMetadataList';
  readonly apiVersion: MetaVersion;
  readonly metadata: List<KubeObject>['metadata'];
  /** Each item carries its kind. null if the list is empty, as Go prints a nil slice. */
  readonly items: readonly PartialObjectMetadata[] | null;
}

/** Upstream: kubernetes/apiserver@v0.36.3 pkg/endpoints/handlers/response.go asPartialObjectMetadata */
export function partialObjectMetadata(
  { metadata }: Pick<KubeObject, 'metadata'>,
  apiVersion: MetaVersion,
): PartialObjectMetadata {
  return { kind: 'PartialObjectMetadata', apiVersion, metadata };
}

/** Upstream: kubernetes/apiserver@v0.36.3 pkg/endpoints/handlers/response.go asPartialObjectMetadataList */
export function partialObjectMetadataList(
  { metadata, items }: List<KubeObject>,
  apiVersion: MetaVersion,
): PartialObjectMetadataList {
  const partials = items.map((item) => partialObjectMetadata(item, apiVersion));
  return {
    kind: 'PartialObjectMetadataList',
    apiVersion,
    metadata,
    items: partials.length > 0 ? partials : null,
  };
}
