/** The repositories from which the table is derived, all at one tag. */
type Repository = 'api' | 'apimachinery' | 'apiextensions-apiserver' | 'kube-aggregator' | 'metrics';

/** The location of a package of the table. */
export interface Home {
  readonly repository: Repository;
  readonly directory: string;
}

/** Packages whose location differs from their name. All others are in k8s.io/api. */
export const homes: Readonly<Record<string, Home>> = {
  'apiextensions/v1': { repository: 'apiextensions-apiserver', directory: 'pkg/apis/apiextensions/v1' },
  'apiregistration/v1': { repository: 'kube-aggregator', directory: 'pkg/apis/apiregistration/v1' },
  'metrics/v1beta1': { repository: 'metrics', directory: 'pkg/apis/metrics/v1beta1' },
  'meta/v1': { repository: 'apimachinery', directory: 'pkg/apis/meta/v1' },
  resource: { repository: 'apimachinery', directory: 'pkg/api/resource' },
  intstr: { repository: 'apimachinery', directory: 'pkg/util/intstr' },
  runtime: { repository: 'apimachinery', directory: 'pkg/runtime' },
  types: { repository: 'apimachinery', directory: 'pkg/types' },
};

/** Returns the location of a package by its name in the table. */
export function homeOf(name: string): Home {
  return homes[name] ?? { repository: 'api', directory: name };
}
