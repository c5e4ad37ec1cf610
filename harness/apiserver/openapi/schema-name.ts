import { homeOf } from '../../api/table/homes.ts';

/**
 * Returns the name of a type's schema: its Go package with the domain reversed, and its name. `core/v1.Pod` →
 * `io.k8s.api.core.v1.Pod`.
 *
 * Upstream: kubernetes/kube-openapi@v0.0.0-20260317180543-43fb72c5454a pkg/util/util.go ToRESTFriendlyName
 *
 * @param type - the qualified name in the API table
 */
export function schemaNameOf(type: string): string {
  const at = type.lastIndexOf('.');
  const { repository, directory } = homeOf(type.slice(0, at));
  return ['io.k8s', repository, ...directory.split('/'), type.slice(at + 1)].join('.');
}
