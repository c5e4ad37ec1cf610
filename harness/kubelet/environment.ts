import type * as core from '#api/core/v1';
import type { Pod } from '../api/objects.ts';
import { getOwn } from '../api/own.ts';
import { parseQuantity } from '../api/quantity.ts';
import { configMaps, secrets } from '../api/resource.ts';
import { isNotFound } from '../api/status.ts';
import type { Client } from '../contracts/client.ts';
import { expand } from './expand.ts';

/** The sources of variable values. */
export interface EnvironmentOptions {
  readonly client: Client;
  /** The addresses of the pod, because its status may not have them yet. */
  readonly ips: readonly string[];
  readonly hostIP: string;
  /** The resources that a container without limits may use, by name: `cpu`. */
  readonly allocatable: Readonly<Record<string, string>>;
  /** Variables for the addresses of Services. The container's own variables override them. @defaultValue none */
  readonly services?: Readonly<Record<string, string>>;
}

/**
 * Returns the environment variables of a container: from `envFrom`, from `env`, and for Services. A container whose
 * required reference is missing cannot be created.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/kubelet_pods.go makeEnvironmentVariables
 *
 * Differs: values from files (`fileKeyRef`) are not supported.
 *
 * @throws Error when a reference is missing (`configmap "web" not found`, `couldn't find key port in ConfigMap
 * default/web`); StatusError from the API
 */
export async function makeEnvironmentVariables(
  pod: Pod,
  container: core.Container,
  options: EnvironmentOptions,
): Promise<Readonly<Record<string, string>>> {
  const { namespace = '' } = pod.metadata;
  const { services = {} } = options;
  const sources = new Sources(options.client, namespace);
  const variables: Record<string, string> = {};
  for (const { prefix = '', configMapRef, secretRef } of container.envFrom ?? []) {
    const data =
      (configMapRef && (await sources.configMap(configMapRef.name, configMapRef.optional))) ??
      (secretRef && (await sources.secret(secretRef.name, secretRef.optional))) ??
      {};
    for (const [key, value] of Object.entries(data)) variables[prefix + key] = value;
  }
  for (const { name, value, valueFrom } of container.env ?? []) {
    if (value || !valueFrom)
      variables[name] = expand(value ?? '', (each) => getOwn(variables, each) ?? getOwn(services, each));
    else {
      const found = await variableOf(valueFrom, pod, container, { ...options, sources });
      if (found !== undefined) variables[name] = found;
    }
  }
  return { ...variables, ...withoutThose(services, variables) };
}

function withoutThose(
  all: Readonly<Record<string, string>>,
  taken: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(all).filter(([name]) => !Object.hasOwn(taken, name)));
}

/** Reads each object once. */
class Sources {
  readonly #client: Client;
  readonly #namespace: string;
  readonly #read = new Map<string, Promise<Readonly<Record<string, string>> | undefined>>();

  constructor(client: Client, namespace: string) {
    this.#client = client;
    this.#namespace = namespace;
  }

  /** Returns undefined for an optional ConfigMap that does not exist. */
  configMap(name = '', optional = false): Promise<Readonly<Record<string, string>> | undefined> {
    const key = { namespace: this.#namespace, name };
    return this.#once(
      `configmap "${name}"`,
      optional,
      async () => (await this.#client.get(configMaps, key)).data ?? {},
    );
  }

  secret(name = '', optional = false): Promise<Readonly<Record<string, string>> | undefined> {
    const key = { namespace: this.#namespace, name };
    return this.#once(`secret "${name}"`, optional, async () => {
      const { data = {} } = await this.#client.get(secrets, key);
      return Object.fromEntries(Object.entries(data).map(([field, value]) => [field, decodeBase64(value)]));
    });
  }

  /** @param object the object as an error names it: `configmap "settings"` */
  async #once(
    object: string,
    optional: boolean,
    read: () => Promise<Readonly<Record<string, string>>>,
  ): Promise<Readonly<Record<string, string>> | undefined> {
    const known = this.#read.get(object) ?? read();
    this.#read.set(object, known);
    try {
      return await known;
    } catch (error) {
      if (!isNotFound(error)) throw error;
      if (optional) return undefined;
      // Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/util/manager/watch_based_manager.go objectCache.Get
      throw new Error(`${object} not found`, { cause: error });
    }
  }
}

async function variableOf(
  { fieldRef, resourceFieldRef, configMapKeyRef, secretKeyRef }: core.EnvVarSource,
  pod: Pod,
  container: core.Container,
  options: EnvironmentOptions & { readonly sources: Sources },
): Promise<string | undefined> {
  if (fieldRef) return fieldOf(fieldRef.fieldPath, pod, options);
  if (resourceFieldRef) return resourceOf(resourceFieldRef, pod, container, options.allocatable);
  const reference = configMapKeyRef ?? secretKeyRef;
  if (!reference) return '';
  const { name = '', key, optional } = reference;
  const kind = configMapKeyRef ? 'ConfigMap' : 'Secret';
  const data = await (configMapKeyRef
    ? options.sources.configMap(name, optional)
    : options.sources.secret(name, optional));
  const value = getOwn(data, key);
  if (value !== undefined || optional) return value;
  throw new Error(`couldn't find key ${key} in ${kind} ${pod.metadata.namespace}/${name}`);
}

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/kubelet_pods.go podFieldSelectorRuntimeValue */
function fieldOf(
  path: string,
  { metadata, spec }: Pod,
  { ips, hostIP }: Pick<EnvironmentOptions, 'ips' | 'hostIP'>,
): string {
  const [, map, key = ''] = /^metadata\.(labels|annotations)\['(.*)'\]$/.exec(path) ?? [];
  if (map === 'labels') return getOwn(metadata.labels, key) ?? '';
  if (map === 'annotations') return getOwn(metadata.annotations, key) ?? '';
  const fields: Readonly<Record<string, string | undefined>> = {
    'metadata.name': metadata.name,
    'metadata.namespace': metadata.namespace,
    'metadata.uid': metadata.uid,
    'spec.nodeName': spec.nodeName,
    'spec.serviceAccountName': spec.serviceAccountName,
    'status.hostIP': hostIP,
    'status.hostIPs': hostIP,
    'status.podIP': ips[0],
    'status.podIPs': ips.join(','),
  };
  if (Object.hasOwn(fields, path)) return fields[path] ?? '';
  throw new Error(`unsupported fieldPath: ${path}`);
}

/**
 * Returns the value in whole units of the divisor, rounded up.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/api/v1/resource/helpers.go ExtractContainerResourceValue
 */
function resourceOf(
  { resource, containerName, divisor }: core.ResourceFieldSelector,
  { spec }: Pod,
  container: core.Container,
  allocatable: Readonly<Record<string, string>>,
): string {
  const all = [...spec.containers, ...(spec.initContainers ?? [])];
  const of = containerName ? all.find(({ name }) => name === containerName) : container;
  if (!of) throw new Error(`container ${containerName} not found`);
  const [which = '', name = ''] = resource.split('.');
  const { limits = {}, requests = {} } = of.resources ?? {};
  const quantity = which === 'limits' ? (limits[name] ?? allocatable[name]) : requests[name];
  const unit = divisor && parseQuantity(divisor).sign() > 0 ? parseQuantity(divisor) : parseQuantity('1');
  if (quantity === undefined) return '0';
  return String(Math.ceil(parseQuantity(quantity).milliValue() / unit.milliValue()));
}

function decodeBase64(text: string): string {
  return new TextDecoder().decode(Uint8Array.from(atob(text), (character) => character.charCodeAt(0)));
}
