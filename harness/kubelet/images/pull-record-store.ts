import { createHash } from '#platform/hash';
import { FileError, type FileSystem } from '../../contracts/node/host.ts';

/**
 * The record that a kubelet has pulled an image, and of the credentials used since. It names secrets and never contains
 * them.
 *
 * Upstream: kubernetes/kubelet@v0.36.3 config/v1beta1/types.go ImagePulledRecord
 */
export interface ImagePulledRecord {
  /** The ID of the image: {@link cri.Image} `id`. */
  readonly imageRef: string;
  /** RFC 3339 in whole seconds, so up to a second earlier than the actual time. */
  readonly lastUpdatedTime: string;
  /** The credentials by repository: `docker.io/library/nginx`. */
  readonly credentialMapping: Readonly<Record<string, ImagePullCredentials>>;
}

/** Upstream: kubernetes/kubelet@v0.36.3 config/v1beta1/types.go ImagePullCredentials */
export interface ImagePullCredentials {
  /** Whether every pod of the node may use the image: it was pulled anonymously or with the node's own credentials. */
  readonly nodePodsAccessible?: boolean;
  readonly kubernetesSecrets?: readonly ImagePullSecret[];
}

/** Upstream: kubernetes/kubelet@v0.36.3 config/v1beta1/types.go ImagePullSecret */
export interface ImagePullSecret {
  readonly uid: string;
  readonly namespace: string;
  readonly name: string;
  readonly credentialHash: string;
}

/**
 * The files about pulls, which survive a restart of the kubelet: an *intent* before a pull, and a *record* of a pulled
 * image. Each write is atomic.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/images/pullmanager/fs_pullrecords.go fsPullRecordsAccessor
 *
 * @throws FileError from each method
 */
export class PullRecordStore {
  readonly #files: FileSystem;
  readonly #directory: string;

  /** @param directory contains one subdirectory for intents and one for records */
  constructor(files: FileSystem, directory = '/var/lib/kubelet/image_manager') {
    this.#files = files;
    this.#directory = directory;
  }

  async writeIntent(image: string): Promise<void> {
    await this.#write('pulling', image, { kind: 'ImagePullIntent', apiVersion: API_VERSION, image });
  }

  /** Succeeds if the intent does not exist. */
  async deleteIntent(image: string): Promise<void> {
    await this.#files.removeAll(this.#pathOf('pulling', image));
  }

  /** Returns the images of all intents. Unreadable files are skipped. */
  async listIntents(): Promise<readonly string[]> {
    const intents = await this.#list<{ readonly image: string }>('pulling');
    return intents.map(({ image }) => image);
  }

  async hasIntent(image: string): Promise<boolean> {
    const intent = await this.#read<{ readonly image: string }>(this.#pathOf('pulling', image));
    return intent?.image === image;
  }

  async writeRecord(record: ImagePulledRecord): Promise<void> {
    const { imageRef } = record;
    await this.#write('pulled', imageRef, { kind: 'ImagePulledRecord', apiVersion: API_VERSION, ...record });
  }

  /** Succeeds if the record does not exist. */
  async deleteRecord(imageRef: string): Promise<void> {
    await this.#files.removeAll(this.#pathOf('pulled', imageRef));
  }

  /** @throws SyntaxError when the file is corrupt, in addition to FileError */
  async readRecord(imageRef: string): Promise<ImagePulledRecord | undefined> {
    return await this.#read<ImagePulledRecord>(this.#pathOf('pulled', imageRef));
  }

  /** Returns all records. Unreadable files are skipped. */
  async listRecords(): Promise<readonly ImagePulledRecord[]> {
    return await this.#list<ImagePulledRecord>('pulled');
  }

  async #write(kind: 'pulling' | 'pulled', name: string, content: unknown): Promise<void> {
    const path = this.#pathOf(kind, name);
    await this.#files.mkdirAll(`${this.#directory}/${kind}`);
    await this.#files.writeFile(`${path}.tmp`, JSON.stringify(content), { mode: 0o600 });
    await this.#files.rename(`${path}.tmp`, path);
  }

  async #list<T>(kind: 'pulling' | 'pulled'): Promise<readonly T[]> {
    const directory = `${this.#directory}/${kind}`;
    const names = await this.#files.readdir(directory).catch(nothingThere<readonly string[]>([]));
    const all: T[] = [];
    for (const name of names) {
      if (name.endsWith('.tmp')) continue;
      const one = await this.#read<T>(`${directory}/${name}`).catch(() => undefined);
      if (one !== undefined) all.push(one);
    }
    return all;
  }

  async #read<T>(path: string): Promise<T | undefined> {
    const text = await this.#files.readFile(path).catch(nothingThere(undefined));
    return text === undefined ? undefined : (JSON.parse(text) as T);
  }

  #pathOf(kind: 'pulling' | 'pulled', name: string): string {
    const hash = createHash('sha256').update(name).digest('hex');
    return `${this.#directory}/${kind}/sha256-${hash}`;
  }
}

const API_VERSION = 'kubelet.config.k8s.io/v1beta1';

function nothingThere<T>(instead: T): (error: unknown) => T {
  return (error) => {
    if (error instanceof FileError && error.code === 'ENOENT') return instead;
    throw error;
  };
}
