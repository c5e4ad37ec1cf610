import type { Ingress, IngressClass, IPAddress, NetworkPolicy, ServiceCIDR } from '#api/networking/v1';
import { age, type Column, NONE, name, nameOf, text } from './column.ts';
import { formatLabelSelector } from './labels.ts';
import { loadBalancerAddresses } from './service.ts';

/** The columns of an Ingress. */
export const ingressColumns: readonly Column<Ingress>[] = [
  name,
  text('Class', 'The class whose controller carries it out.', ({ spec }) => spec?.ingressClassName ?? NONE),
  text('Hosts', 'The hosts whose requests it is for.', hosts),
  text('Address', 'Where it can be reached.', ({ status }) =>
    loadBalancerAddresses(status?.loadBalancer?.ingress).join(','),
  ),
  text('Ports', 'The ports on which it listens.', ({ spec }) => (spec?.tls?.length ? '80, 443' : '80')),
  age,
];

/** The columns of an IngressClass. */
export const ingressClassColumns: readonly Column<IngressClass>[] = [
  {
    ...name,
    cell: (ingressClass) => `${nameOf(ingressClass)}${isDefault(ingressClass) ? ' (default)' : ''}`,
  },
  text('Controller', 'What carries out its ingresses.', ({ spec }) => spec?.controller ?? ''),
  text('Parameters', 'The object with further settings.', parameters),
  age,
];

/** The columns of a NetworkPolicy. */
export const networkPolicyColumns: readonly Column<NetworkPolicy>[] = [
  name,
  text('Pod-Selector', 'The labels of the pods that it is about.', ({ spec }) =>
    formatLabelSelector(spec?.podSelector),
  ),
  age,
];

/** The columns of a ServiceCIDR. */
export const serviceCIDRColumns: readonly Column<ServiceCIDR>[] = [
  name,
  text('CIDRs', 'The ranges of addresses for services.', ({ spec }) => (spec?.cidrs ?? []).join(',')),
  age,
];

/**
 * The columns of an IPAddress.
 *
 * Differs: upstream's rows also have a cell for the age, although they have no column for it.
 */
export const ipAddressColumns: readonly Column<IPAddress>[] = [
  name,
  text('ParentRef', 'The object that has the address.', parent),
];

const HOSTS_SHOWN_MAX = 3;

/**
 * Joins the first hosts and appends the number of the other rules. Rules without a host count there but are not shown.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/printers/internalversion/printers.go formatHosts
 */
function hosts({ spec }: Ingress): string {
  const rules = spec?.rules ?? [];
  const shown: string[] = [];
  for (const { host } of rules) {
    if (shown.length === HOSTS_SHOWN_MAX)
      return `${shown.join(',')} + ${rules.length - HOSTS_SHOWN_MAX} more...`;
    if (host) shown.push(host);
  }
  return shown.join(',') || '*';
}

function isDefault({ metadata }: IngressClass): boolean {
  return metadata?.annotations?.['ingressclass.kubernetes.io/is-default-class'] === 'true';
}

function parameters({ spec }: IngressClass): string {
  if (!spec?.parameters) return NONE;
  const { kind, apiGroup, name: of } = spec.parameters;
  return `${kind}${typeof apiGroup === 'string' ? `.${apiGroup}` : ''}/${of}`;
}

function parent({ spec }: IPAddress): string {
  if (!spec?.parentRef) return NONE;
  const { group, resource, namespace, name: of } = spec.parentRef;
  const type = (group ? `${resource ?? ''}.${group}` : (resource ?? '')).toLowerCase();
  return [type, ...(namespace ? [namespace] : []), of ?? ''].join('/');
}
