import {
  type AuthConfig,
  CriError,
  type FilesystemUsage,
  type Image,
  type ImageSpec,
  type PodSandboxConfig,
} from '../../contracts/node/cri/index.ts';
import type { Clock } from '../../sim/index.ts';
import type { Disk } from '../files/index.ts';
import type { RegistryClient } from '../registry/registry-client.ts';
import { buildImage, type ImageSource } from '../registry/repository.ts';
import { ContentStore } from './content-store.ts';
import { formatImageName, type ImageName, parseImageName } from './image-name.ts';
import { type ImageProfile, type ImageProfileName, imageProfiles } from './image-profile.ts';
import type { ImageStore, LocalImage } from './local-image.ts';
import { type PulledImage, Puller } from './puller.ts';

/** Dependencies of {@link MachineImages}. */
export interface MachineImagesOptions {
  readonly clock: Clock;
  readonly registry: RegistryClient;
  /** @defaultValue containerd */
  readonly profile?: ImageProfileName;
  /** The machine's disk. */
  readonly disk: Disk;
  /** The images that the runtime never deletes: the sandbox's. @defaultValue `registry.k8s.io/pause:3.10.2` */
  readonly pinned?: readonly string[];
  /** Called when an image is complete, and when it is deleted. */
  readonly onChange?: (event: 'image-pulled' | 'image-removed', image: LocalImage) => void;
}

/**
 * The image of every sandbox. Upstream: containerd/containerd@v2.3.3 internal/cri/config/config.go DefaultSandboxImage
 */
export const SANDBOX_IMAGE = 'registry.k8s.io/pause:3.10.2';

interface StoredImage extends Omit<LocalImage, 'repoTags' | 'repoDigests'> {
  readonly parts: readonly string[];
}

/**
 * The images of a machine. An image appears only when it is complete. The content of an interrupted pull stays on the
 * disk, and the next pull fetches only the rest.
 *
 * Differs: unused content is deleted when the next image is removed. containerd keeps it for a day.
 *
 * Upstream: containerd/containerd@v2.3.3 internal/cri/server/images/service.go CRIImageService
 */
export class MachineImages implements ImageStore {
  readonly #options: MachineImagesOptions;
  readonly #profile: ImageProfile;
  readonly #content: ContentStore;
  readonly #puller: Puller;
  readonly #images = new Map<string, StoredImage>();
  /** The image id for each name. Each image has at least one name. */
  readonly #names = new Map<string, string>();
  /** Aborted when the runtime stops. */
  #running = new AbortController();

  constructor(options: MachineImagesOptions) {
    this.#options = options;
    this.#profile = imageProfiles[options.profile ?? 'containerd'];
    const { registryUnavailable } = this.#profile;
    this.#puller = new Puller({ client: options.registry, clock: options.clock, registryUnavailable });
    this.#content = new ContentStore({ root: this.#profile.root, disk: options.disk });
  }

  /** The disk usage of images in bytes, including incomplete ones. */
  get usedBytes(): number {
    return this.#content.usedBytes;
  }

  /** Stops the runtime: current pulls fail, and so does each call until the start. */
  stop(): void {
    this.#running.abort(new CriError('Unavailable', 'error reading from server: EOF'));
  }

  /** Starts the runtime again, with the content of the disk. */
  start(): void {
    this.#running = new AbortController();
  }

  /** Adds an image without a registry, like `ctr images import`. */
  load(name: string, source: ImageSource): void {
    const { index, config, blobs } = buildImage(source);
    for (const blob of blobs) this.#content.add(blob.digest, blob);
    this.#add(parseImageName(name), {
      target: index.digest,
      id: config.digest,
      parts: blobs.map(({ digest }) => digest),
      config: JSON.parse(config.text),
      layers: source.layers,
    });
  }

  resolve(image: string): LocalImage | undefined {
    const stored = this.#find(image);
    if (!stored) return undefined;
    const { parts: _, ...rest } = stored;
    const names = this.#namesOf(stored.id).map((name) => this.#shown(name));
    return {
      ...rest,
      repoTags: names.filter((name) => !name.includes('@')),
      repoDigests: names.filter((name) => name.includes('@')),
    };
  }

  async listImages(filter?: { readonly image?: ImageSpec }): Promise<readonly Image[]> {
    this.#alive();
    const ids = filter?.image?.image ? [filter.image.image] : [...this.#images.keys()];
    return ids.flatMap((id) => this.#told(id) ?? []);
  }

  async imageStatus({ image }: ImageSpec): Promise<Image | undefined> {
    this.#alive();
    return this.#told(image);
  }

  async pullImage({ image }: ImageSpec, auth?: AuthConfig, _sandbox?: PodSandboxConfig): Promise<string> {
    this.#alive();
    const name = parsed(image);
    const { signal } = this.#running;
    using content = this.#content.lease();
    const pulled = await this.#puller.pull({ name, auth, content, signal });
    this.#add(name, pulled);
    const local = this.resolve(pulled.id) as LocalImage;
    this.#options.onChange?.('image-pulled', local);
    return this.#profile.pullReturns === 'id' ? local.id : (local.repoDigests[0] ?? local.id);
  }

  async removeImage({ image }: ImageSpec): Promise<void> {
    this.#alive();
    const local = this.resolve(image);
    if (!local) return;
    for (const name of this.#namesOf(local.id)) this.#names.delete(name);
    this.#images.delete(local.id);
    this.#content.prune(new Set([...this.#images.values()].flatMap(({ parts }) => parts)));
    this.#options.onChange?.('image-removed', local);
  }

  async imageFsInfo(): Promise<FilesystemUsage> {
    this.#alive();
    const { capacityBytes, usedBytes } = this.#options.disk;
    return {
      mountpoint: this.#profile.mountpoint,
      capacityBytes,
      availableBytes: capacityBytes - usedBytes,
      usedBytes: this.usedBytes,
    };
  }

  /** Adds a complete image. */
  #add(name: ImageName, { id, target, parts, config, layers }: PulledImage): void {
    const { domain, repository } = name;
    const names = [name, { domain, repository, digest: target }].map(formatImageName);
    const { pinned = [SANDBOX_IMAGE] } = this.#options;
    const before = this.#images.get(id);
    this.#images.set(id, {
      id,
      parts,
      sizeBytes: parts.reduce((sum, digest) => sum + this.#content.sizeOf(digest), 0),
      pinned: before?.pinned || pinned.some((one) => names.includes(one)),
      config: {
        entrypoint: config.config.Entrypoint ?? [],
        cmd: config.config.Cmd ?? [],
        env: Object.fromEntries((config.config.Env ?? []).map(split)),
        workingDir: config.config.WorkingDir ?? '',
        ...(config.config.StopSignal ? { stopSignal: config.config.StopSignal } : {}),
      },
      executables: [...new Set(layers.flatMap(({ executables }) => executables))],
    });
    for (const one of names) this.#names.set(one, id);
  }

  #told(image: string): Image | undefined {
    const local = this.resolve(image);
    if (!local) return undefined;
    const { config: _, executables: __, ...told } = local;
    return told;
  }

  #find(image: string): StoredImage | undefined {
    const byId = this.#images.get(image);
    if (byId) return byId;
    try {
      return this.#images.get(this.#names.get(formatImageName(parseImageName(image))) ?? '');
    } catch {
      return undefined;
    }
  }

  #namesOf(id: string): readonly string[] {
    return [...this.#names].filter(([, of]) => of === id).map(([name]) => name);
  }

  #shown(name: string): string {
    if (!this.#profile.familiarNames) return name;
    return name.replace(/^docker\.io\/(library\/(?=[^/]+$))?/, '');
  }

  #alive(): void {
    if (!this.#running.signal.aborted) return;
    const why = `dial unix ${this.#profile.socket}: connect: connection refused`;
    throw new CriError('Unavailable', `connection error: desc = "transport: Error while dialing: ${why}"`);
  }
}

function parsed(image: string): ImageName {
  try {
    return parseImageName(image);
  } catch (error) {
    const why = (error as Error).message;
    throw new CriError('InvalidArgument', `failed to parse image reference ${JSON.stringify(image)}: ${why}`);
  }
}

/** Splits `PATH=/bin` into name and value. */
function split(variable: string): readonly [string, string] {
  const [name = '', ...value] = variable.split('=');
  return [name, value.join('=')];
}
