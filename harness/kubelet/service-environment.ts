import type { Service } from '../api/objects.ts';

/** The Service of the apiserver, which every container gets whatever its namespace. */
const APISERVER = { namespace: 'default', name: 'kubernetes' };

/**
 * Returns the environment variables for Services: `WEB_SERVICE_HOST`, `WEB_SERVICE_PORT`, `WEB_PORT_80_TCP_ADDR`. A
 * headless Service has none.
 *
 * @param enableServiceLinks whether to include the Services of the pod's namespace; the apiserver is always included
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/kubelet_pods.go getServiceEnvVarMap, pkg/kubelet/envvars/envvars.go FromServices
 */
export function serviceVariables(
  services: readonly Service[],
  { namespace, enableServiceLinks }: { readonly namespace: string; readonly enableServiceLinks: boolean },
): Readonly<Record<string, string>> {
  const told = new Map<string, Service>();
  for (const service of services) {
    const { metadata, spec } = service;
    const { name, namespace: own } = metadata;
    if (!spec.clusterIP || spec.clusterIP === 'None') continue;
    if (own === APISERVER.namespace && name === APISERVER.name) {
      if (!told.has(name)) told.set(name, service);
    } else if (own === namespace && enableServiceLinks) told.set(name, service);
  }
  return Object.fromEntries([...told.values()].flatMap(variablesOf));
}

function variablesOf({ metadata, spec }: Service): readonly (readonly [string, string])[] {
  const { clusterIP = '', ports = [] } = spec;
  const prefix = variableName(metadata.name);
  const host = clusterIP.includes(':') ? `[${clusterIP}]` : clusterIP;
  return [
    [`${prefix}_SERVICE_HOST`, clusterIP],
    [`${prefix}_SERVICE_PORT`, String(ports[0]?.port)],
    ...ports
      .filter(({ name }) => name)
      .map(({ name = '', port }) => [`${prefix}_SERVICE_PORT_${variableName(name)}`, String(port)] as const),
    // The format of Docker links.
    ...ports.flatMap(({ port, protocol = 'TCP' }, index): (readonly [string, string])[] => {
      const url = `${protocol.toLowerCase()}://${host}:${port}`;
      const one = `${prefix}_PORT_${port}_${protocol}`;
      return [
        ...(index === 0 ? [[`${prefix}_PORT`, url] as const] : []),
        [one, url],
        [`${one}_PROTO`, protocol.toLowerCase()],
        [`${one}_PORT`, String(port)],
        [`${one}_ADDR`, clusterIP],
      ];
    }),
  ];
}

function variableName(name: string): string {
  return name.replaceAll('-', '_').toUpperCase();
}
