import type { KubeObject, List } from '../../api/objects.ts';

/** The versions of the kinds to which an answer can be converted. */
export type MetaVersion = 'meta.k8s.io/v1' | 'meta.k8s.io/v1beta1';

/**
 * What an object of any kind has: its metadata.
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/apis/meta/v1/types.go PartialObjectMetadata
 */
export interface PartialObjectMetadata {
  readonly kind: 'PartialObjectMetadata';
  readonly apiVersion: MetaVersion;
  readonly metadata: KubeObject['metadata'];
}

/** Upstream: kubernetes/apimachinery@v0.36.3 pkg/apis/meta/v1/types.go PartialObjectMetadataList */
export interface PartialObjectMetadataList {
  readonly kind: 'PartialObjectMetadataList';
  readonly apiVersion: MetaVersion;
  readonly metadata: List<KubeObject>['metadata'];
  /** Each of them says its kind. null if there is none, as Go prints a list that was not made. */
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
