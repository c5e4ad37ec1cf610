import { createHash } from 'node:crypto';
import { FileError, type FileSystem } from '../../contracts/node/host.ts';

/**
 * That a kubelet pulled an image, and which credentials have pulled it since. Secrets are named, never kept.
 *
 * Upstream: kubernetes/kubelet@v0.36.3 config/v1beta1/types.go ImagePulledRecord
 */
export interface ImagePulledRecord {
  /** Of the image: {@link cri.Image} `id`. */
  readonly imageRef: string;
  /** RFC 3339, in whole seconds: up to a second before it really was. */
  readonly lastUpdatedTime: string;
  /** By repository: `docker.io/library/nginx`. */
  readonly credentialMapping: Readonly<Record<string, ImagePullCredentials>>;
}

/** Upstream: kubernetes/kubelet@v0.36.3 config/v1beta1/types.go ImagePullCredentials */
export interface ImagePullCredentials {
  /** It was pulled anonymously, or with the node's own credentials: every pod of the node may use it. */
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
 * What a kubelet writes down about pulls, in files that outlive it: an *intent* before it pulls an image, and a *record* of an
 * image that was pulled. Each write is whole or not at all.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/images/pullmanager/fs_pullrecords.go fsPullRecordsAccessor
 *
 * @throws FileError from each call
 */
export class PullRecordStore {
  readonly #files: FileSystem;
  readonly #directory: string;

  /** @param directory where the two kinds of files are, in a directory each */
  constructor(files: FileSystem, directory = '/var/lib/kubelet/image_manager') {
    this.#files = files;
    this.#directory = directory;
  }

  async writeIntent(image: string): Promise<void> {
    await this.#write('pulling', image, { kind: 'ImagePullIntent', apiVersion: API_VERSION, image });
  }

  /** Succeeds when there is none. */
  async deleteIntent(image: string): Promise<void> {
    await this.#files.removeAll(this.#pathOf('pulling', image));
  }

  /** The images that were to be pulled. What cannot be read is left out. */
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

  /** Succeeds when there is none. */
  async deleteRecord(imageRef: string): Promise<void> {
    await this.#files.removeAll(this.#pathOf('pulled', imageRef));
  }

  /** @throws SyntaxError also when the file is not what was written */
  async readRecord(imageRef: string): Promise<ImagePulledRecord | undefined> {
    return await this.#read<ImagePulledRecord>(this.#pathOf('pulled', imageRef));
  }

  /** What cannot be read is left out. */
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
