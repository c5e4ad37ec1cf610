import { type core, expand, type FileSystem } from '#harness';
import { removeVolume } from './empty-dir.ts';
import { isMounted, subPathsDir } from './paths.ts';

/** A subPath mount of one container. */
interface SubPathRequest {
  readonly podUID: string;
  readonly container: string;
  readonly mount: core.VolumeMount;
  /** The index of the mount in the container's `volumeMounts`. */
  readonly index: number;
  readonly specName: string;
  /** The path of the whole volume. */
  readonly volumePath: string;
}

/** Returns the subPath of a volume mount; empty for the whole volume. @throws Error when the path leaves the volume */
export function subPathOf(
  { subPath = '', subPathExpr = '' }: core.VolumeMount,
  environment: Readonly<Record<string, string>>,
): string {
  const known = (name: string): string => {
    const value = environment[name];
    if (value === undefined) throw new Error(`missing value for "${name}"`);
    return value;
  };
  const path = subPathExpr ? expand(subPathExpr, known) : subPath;
  if (path.startsWith('/')) throw new Error(`error SubPath \`${path}\` must not be an absolute path`);
  if (path.split('/').includes('..')) {
    throw new Error(`unable to provision SubPath \`${path}\`: must not contain '..'`);
  }
  return path;
}

/**
 * Bind-mounts a subPath of a volume, and returns the path of the mount on the node. The mount shows the files of that
 * moment. Files that replace them later, as in an update of a config map, are not visible.
 *
 * Differs: an existing mount there is replaced, because the kubelet cannot find out whether it is the same.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/volume/util/subpath/subpath_linux.go doBindSubPath,
 * pkg/kubelet/kubelet_pods.go makeMounts
 *
 * @throws Error without details about the node's files
 */
export async function bindSubPath(files: FileSystem, path: string, request: SubPathRequest): Promise<string> {
  const { podUID, container, mount, index, specName, volumePath } = request;
  const which = `for volumeMount "${mount.name}" of container "${container}"`;
  const target = `${subPathsDir(podUID)}/${specName}/${container}/${index}`;
  const parent = `${subPathsDir(podUID)}/${specName}/${container}`;
  const wanted = `${volumePath}/${path}`;
  if (!(await files.stat(wanted))) {
    await explained(`failed to create subPath directory ${which}`, makeWithin(files, volumePath, path));
  }
  return explained(`failed to prepare subPath ${which}`, async () => {
    const source = await files.realpath(wanted);
    if (!isWithin(source, await files.realpath(volumePath))) {
      throw new Error(`subpath "${source}" not within volume path "${volumePath}"`);
    }
    while (await isMounted(files, target)) await files.unmount(target);
    await files.mkdirAll(parent, 0o750);
    const isDirectory = (await files.stat(source))?.type === 'directory';
    // An earlier container may have mounted a file here, where this container mounts a directory.
    await files.removeAll(target);
    if (isDirectory) await files.mkdirAll(target, 0o750);
    else await files.writeFile(target, '', { mode: 0o640 });
    await files.mount(source, target, { type: 'bind' });
    return target;
  });
}

/** Unmounts and deletes all subPath mounts of a volume in this pod. */
export async function removeSubPaths(
  files: FileSystem,
  { podUID, specName }: Pick<SubPathRequest, 'podUID' | 'specName'>,
): Promise<void> {
  const dir = `${subPathsDir(podUID)}/${specName}`;
  if (await files.stat(dir)) await removeVolume(files, dir);
}

/** Creates a directory inside a volume only: it rejects a symbolic link that leaves the volume. */
async function makeWithin(files: FileSystem, volumePath: string, path: string): Promise<void> {
  const base = await files.realpath(volumePath);
  let at = base;
  for (const name of path.split('/').filter(Boolean)) {
    const next = `${at}/${name}`;
    at = (await files.lstat(next)) ? await files.realpath(next) : next;
    if (!isWithin(at, base)) throw new Error(`path "${at}" is outside of allowed base "${base}"`);
    await files.mkdirAll(at);
  }
}

function isWithin(path: string, base: string): boolean {
  return path === base || path.startsWith(`${base}/`);
}

/** Runs a step, and hides the details of a failure in its `cause`: they could reveal other files of the node. */
async function explained<T>(message: string, doing: Promise<T> | (() => Promise<T>)): Promise<T> {
  try {
    return await (typeof doing === 'function' ? doing() : doing);
  } catch (error) {
    throw new Error(message, { cause: error });
  }
}
