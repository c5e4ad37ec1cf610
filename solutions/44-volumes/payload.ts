import {
  type Client,
  type ConfigMap,
  configMaps,
  type core,
  isNotFound,
  type KubeObject,
  type Pod,
  type Resource,
  type Secret,
  secrets,
} from '#harness';
import type { FileProjection, Payload } from './atomic-writer.ts';
import { downwardFiles } from './downward-api.ts';
import type { TokenManager } from './token-manager.ts';
import type { VolumeSource } from './volume-spec.ts';

/** Dependencies of the payload. */
export interface PayloadOptions {
  readonly client: Pick<Client, 'get'>;
  readonly node: string;
  readonly tokens: TokenManager;
}

/** Upstream: kubernetes/api@v0.36.3 core/v1/types.go ConfigMapVolumeSourceDefaultMode and its siblings */
const DEFAULT_MODE = 0o644;

/**
 * Returns the current files of a volume, read from the apiserver each time. If an object was deleted and recreated, the
 * new object is read, even if it is immutable.
 *
 * @throws Error that names the missing object or key
 */
export async function payloadOf(source: VolumeSource, pod: Pod, options: PayloadOptions): Promise<Payload> {
  const { configMap, secret, downwardAPI, projected } = source;
  const gather = new Gatherer(pod, options, (configMap ?? secret ?? downwardAPI ?? projected)?.defaultMode);
  if (configMap) return gather.configMap(configMap);
  if (secret) {
    const { secretName, ...rest } = secret;
    return gather.secret({ ...rest, ...(secretName && { name: secretName }) });
  }
  if (downwardAPI) return gather.downwardAPI(downwardAPI);
  return gather.projected(projected?.sources ?? []);
}

/** The selection of an object's keys, and their file paths. */
type Projection = Pick<core.ConfigMapProjection, 'items' | 'name' | 'optional'>;

class Gatherer {
  readonly #pod: Pod;
  readonly #options: PayloadOptions;
  readonly #mode: number;

  constructor(pod: Pod, options: PayloadOptions, mode = DEFAULT_MODE) {
    this.#pod = pod;
    this.#options = options;
    this.#mode = mode;
  }

  async configMap(projection: Projection): Promise<Payload> {
    const found = await this.#find<ConfigMap>(configMaps, 'configmap', projection);
    const data = new Map<string, FileProjection['data']>(Object.entries(found?.data ?? {}));
    for (const [key, text] of Object.entries(found?.binaryData ?? {})) data.set(key, bytesOf(text));
    return this.#project(data, projection, (key) => `configmap references non-existent config key: ${key}`);
  }

  async secret(projection: Projection): Promise<Payload> {
    const found = await this.#find<Secret>(secrets, 'secret', projection);
    const data = new Map(Object.entries(found?.data ?? {}).map(([key, text]) => [key, bytesOf(text)]));
    return this.#project(data, projection, (key) => `references non-existent secret key: ${key}`);
  }

  downwardAPI({ items = [] }: Pick<core.DownwardAPIProjection, 'items'>): Promise<Payload> {
    return downwardFiles(items, this.#pod, { ...this.#options, defaultMode: this.#mode });
  }

  /** Reads all sources, so that one error reports everything that is missing. */
  async projected(sources: readonly core.VolumeProjection[]): Promise<Payload> {
    const payload = new Map<string, FileProjection>();
    const errors: string[] = [];
    for (const source of sources) {
      try {
        for (const [path, file] of await this.#projectedSource(source)) payload.set(path, file);
      } catch (error) {
        errors.push(error instanceof Error ? error.message : String(error));
      }
    }
    if (errors.length === 1) throw new Error(errors[0]);
    if (errors.length > 1) throw new Error(`[${errors.join(', ')}]`);
    return payload;
  }

  async #projectedSource(source: core.VolumeProjection): Promise<Payload> {
    const { configMap, secret, downwardAPI, serviceAccountToken } = source;
    if (configMap) return this.configMap(configMap);
    if (secret) return this.secret(secret);
    if (downwardAPI) return this.downwardAPI(downwardAPI);
    if (!serviceAccountToken) throw new Error(`projected source is not supported: ${Object.keys(source)}`);
    const data = await this.#options.tokens.tokenFor(this.#pod, serviceAccountToken);
    return new Map([[serviceAccountToken.path, { data, mode: this.#mode }]]);
  }

  /** Returns the object; undefined if it is missing and optional. */
  async #find<T extends KubeObject>(
    resource: Resource<T>,
    noun: string,
    { name = '', optional }: Projection,
  ): Promise<T | undefined> {
    const { namespace = '' } = this.#pod.metadata;
    try {
      return await this.#options.client.get(resource, { namespace, name });
    } catch (error) {
      if (!isNotFound(error)) throw error;
      if (optional) return undefined;
      throw new Error(`${noun} "${name}" not found`, { cause: error });
    }
  }

  #project(
    data: ReadonlyMap<string, FileProjection['data']>,
    { items = [], optional }: Projection,
    missing: (key: string) => string,
  ): Payload {
    if (items.length === 0) {
      return new Map(Array.from(data, ([key, content]) => [key, { data: content, mode: this.#mode }]));
    }
    const payload = new Map<string, FileProjection>();
    for (const { key, path, mode = this.#mode } of items) {
      const content = data.get(key);
      if (content !== undefined) payload.set(path, { data: content, mode });
      else if (!optional) throw new Error(missing(key));
    }
    return payload;
  }
}

function bytesOf(base64: string): Uint8Array {
  return Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
}
