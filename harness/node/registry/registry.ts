import type { Clock } from '../../sim/index.ts';
import { type Descriptor, descriptorOf } from './oci.ts';
import {
  type BlobRequest,
  blobUrl,
  type Content,
  type ManifestRequest,
  manifestUrl,
  type RegistryClient,
  RegistryUnreachable,
  type Token,
  type TokenFormRequest,
  type TokenRequest,
} from './registry-client.ts';
import { RegistryHost, type RegistryHostOptions } from './registry-host.ts';

/** All registries of the simulated internet, by host. They run in this process, and answer when the virtual clock says so. */
export class Registry implements RegistryClient {
  readonly #clock: Clock;
  readonly #hosts = new Map<string, RegistryHost>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Adds a registry. @param host - its host, such as `registry-1.docker.io` */
  add(host: string, options: RegistryHostOptions = {}): RegistryHost {
    const added = new RegistryHost(host, this.#clock, options);
    this.#hosts.set(host, added);
    return added;
  }

  /** Returns the registry of a host. @throws Error when the host was never added */
  at(host: string): RegistryHost {
    const found = this.#hosts.get(host);
    if (!found) throw new Error(`Failed to find the registry ${host}: it was never added.`);
    return found;
  }

  async headManifest(request: ManifestRequest): Promise<Descriptor> {
    return descriptorOf(
      await this.#reach(request.host, 'Head', manifestUrl(request)).manifest(request, 'HEAD'),
    );
  }

  async getManifest(request: ManifestRequest): Promise<Content> {
    return this.#reach(request.host, 'Get', manifestUrl(request)).manifest(request, 'GET');
  }

  async getBlob(request: BlobRequest): Promise<Content> {
    return this.#reach(request.host, 'Get', blobUrl(request)).blob(request);
  }

  async getToken(request: TokenRequest): Promise<Token> {
    return this.#tokenServer(request, 'Get').giveToken(request);
  }

  async postToken(request: TokenFormRequest): Promise<Token> {
    return this.#tokenServer(request, 'Post').giveToken(request);
  }

  /** Returns the registry of a token server. */
  #tokenServer({ realm, service }: { realm: string; service: string }, verb: string): RegistryHost {
    const found = [...this.#hosts.values()].find(
      ({ tokens }) => tokens?.realm === realm && tokens.service === service,
    );
    return found ?? unreachable(verb, realm, new URL(realm).host);
  }

  #reach(host: string, verb: string, url: string): RegistryHost {
    const found = this.#hosts.get(host);
    return found && !found.unreachable ? found : unreachable(verb, url, host);
  }
}

/** Throws with the message of the resolver in Go's standard library. */
function unreachable(verb: string, url: string, host: string): never {
  throw new RegistryUnreachable(`${verb} "${url}": dial tcp: lookup ${host}: no such host`);
}
