/** The checkouts that the table is derived from, all at one tag. */
type Repository = 'api' | 'apimachinery' | 'apiextensions-apiserver' | 'kube-aggregator' | 'metrics';

/** Where a package of the table stands. */
export interface Home {
  readonly repository: Repository;
  readonly directory: string;
}

/** Packages that do not stand where their name says. All others are in k8s.io/api. */
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

/** Where the package stands that the table calls by this name. */
export function homeOf(name: string): Home {
  return homes[name] ?? { repository: 'api', directory: name };
}
