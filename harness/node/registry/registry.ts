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

/**
 * All registries of the world, each under the name that it listens at. They are in process: what is asked of them is answered as
 * soon as the clock says.
 */
export class Registry implements RegistryClient {
  readonly #clock: Clock;
  readonly #hosts = new Map<string, RegistryHost>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Sets up a registry. @param host where it listens: `registry-1.docker.io` */
  add(host: string, options: RegistryHostOptions = {}): RegistryHost {
    const added = new RegistryHost(host, this.#clock, options);
    this.#hosts.set(host, added);
    return added;
  }

  /** The registry that listens there. @throws Error when there is none */
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

  /** The registry for which a token server speaks. */
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

/** As the resolver in Go's standard library says it. */
function unreachable(verb: string, url: string, host: string): never {
  throw new RegistryUnreachable(`${verb} "${url}": dial tcp: lookup ${host}: no such host`);
}
