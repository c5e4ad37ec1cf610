import type { DockerConfigEntry } from '#given/43-images';
import { type core, cri, type EventRecorder, FileError, type FileSystem } from '#harness';

export const DIGEST = `sha256:${'0123456789abcdef'.repeat(4)}`;

/** An entry of a docker config. */
export const entry = (registry: string, username: string): DockerConfigEntry => ({
  registry,
  username,
  password: `secret of ${username}`,
});

/** A pull secret. @param users - the user of each registry */
export function secretOf(name: string, users: Readonly<Record<string, string>>): core.Secret {
  const auths = Object.fromEntries(
    Object.entries(users).map(([registry, username]) => [
      registry,
      { username, password: `secret of ${username}` },
    ]),
  );
  return {
    metadata: { namespace: 'default', name, uid: `uid of ${name}` },
    type: 'kubernetes.io/dockerconfigjson',
    data: { '.dockerconfigjson': btoa(JSON.stringify({ auths })) },
  };
}

export const sandboxConfig: cri.PodSandboxConfig = {
  metadata: { namespace: 'default', name: 'web', uid: 'uid of web', attempt: 0 },
  hostname: 'web',
  logDirectory: '/var/log/pods/default_web_uid',
  labels: {},
  annotations: {},
  network: 'pod',
};

interface FakeImagesOptions {
  /** The users that cannot pull. */
  readonly refuses?: readonly string[];
  /** The error of each pull. */
  readonly error?: Error;
  readonly onPull?: () => unknown;
  /** The present images. */
  readonly present?: readonly string[];
  /** The error of `imageStatus`. */
  readonly statusError?: Error;
}

/** The result of a pull, which also identifies the image, as with a real runtime. */
const referenceOf = (name: string): string => imageOf(name).id;

/** The images of a runtime, without a registry: a pull succeeds unless the options make it fail. */
export function fakeImages(options: FakeImagesOptions = {}) {
  const { refuses = [], error, onPull, present = [], statusError } = options;
  const there = new Set(present);
  const images = {
    pulls: [] as string[],
    sandboxConfigs: [] as unknown[],
    looks: [] as string[],
    async imageStatus({ image }: cri.ImageSpec): Promise<cri.Image | undefined> {
      images.looks.push(image);
      if (statusError) throw statusError;
      const name = [...there].find((one) => [one, referenceOf(one)].includes(image));
      return name === undefined ? undefined : imageOf(name);
    },
    async pullImage(
      { image }: cri.ImageSpec,
      auth?: cri.AuthConfig,
      config?: cri.PodSandboxConfig,
    ): Promise<string> {
      const user = auth?.username ?? 'anonymous';
      images.pulls.push(`${image} as ${user}`);
      images.sandboxConfigs.push(config);
      await onPull?.();
      if (error) throw error;
      if (refuses.includes(user)) throw new cri.CriError('Unknown', `${user} is refused`);
      there.add(image);
      return referenceOf(image);
    },
    listImages: async () => [...there].map((image) => imageOf(image)),
    removeImage: async () => {},
    imageFsInfo: async () => ({ mountpoint: '/', capacityBytes: 100, availableBytes: 100, usedBytes: 0 }),
  };
  return images;
}

/** An image of the runtime. */
export function imageOf(name: string, parts: Partial<cri.Image> = {}): cri.Image {
  return {
    id: `id of ${name}`,
    repoTags: [name],
    repoDigests: [],
    sizeBytes: 1_000,
    pinned: false,
    ...parts,
  };
}

/** Records events as text: `Normal Pulled …`. */
export function eventsInto(told: string[]): EventRecorder {
  return { event: (_, type, reason, message) => void told.push(`${type} ${reason} ${message}`) };
}

/** Files in memory, with the operations that records of pulls need. */
export function memoryFiles(): FileSystem & {
  readonly paths: () => readonly string[];
  fails: string | undefined;
} {
  const texts = new Map<string, string>();
  const missing = (path: string): never => {
    throw new FileError('ENOENT', `open ${path}: no such file or directory`);
  };
  const files = {
    fails: undefined as string | undefined,
    paths: () => [...texts.keys()],
    check(call: string): void {
      if (files.fails === call) throw new FileError('EIO', `${call}: input/output error`);
    },
    mkdirAll: async () => {},
    async writeFile(path: string, text: string) {
      files.check('writeFile');
      texts.set(path, text);
    },
    async readFile(path: string) {
      files.check('readFile');
      return texts.get(path) ?? missing(path);
    },
    async readdir(path: string) {
      const names = [...texts.keys()].filter((one) => one.startsWith(`${path}/`));
      return names.length > 0 ? names.map((one) => one.slice(path.length + 1)).sort() : missing(path);
    },
    async rename(from: string, to: string) {
      texts.set(to, texts.get(from) ?? missing(from));
      texts.delete(from);
    },
    removeAll: async (path: string) => void texts.delete(path),
  };
  return files as unknown as ReturnType<typeof memoryFiles>;
}
