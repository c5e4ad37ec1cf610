import { type core, expand, type FileSystem } from '#harness';
import { removeVolume } from './empty-dir.ts';
import { isMounted, subPathsDir } from './paths.ts';

/** A part of a volume that one container mounts. */
interface SubPathRequest {
  readonly podUID: string;
  readonly container: string;
  readonly mount: core.VolumeMount;
  /** Which of the container's mounts it is. */
  readonly index: number;
  readonly specName: string;
  /** Where the whole volume is. */
  readonly volumePath: string;
}

/** Which part of its volume a container mounts; empty for the whole. @throws Error when the path leads out of the volume */
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
 * Mounts a part of a volume where the container finds it, and gives that path. The mount shows the files of that moment: files that
 * replace them later, as an update of a config map does, do not show.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/volume/util/subpath/subpath_linux.go doBindSubPath,
 * pkg/kubelet/kubelet_pods.go makeMounts
 *
 * Differs: what is mounted there already is mounted anew, since nothing tells whether it is the same.
 *
 * @throws Error that says nothing of the node's files
 */
export async function bindSubPath(files: FileSystem, path: string, request: SubPathRequest): Promise<string> {
  const { podUID, container, mount, index, specName, volumePath } = request;
  const which = `for volumeMount "${mount.name}" of container "${container}"`;
  const target = `${subPathsDir(podUID)}/${specName}/${container}/${index}`;
  const parent = `${subPathsDir(podUID)}/${specName}/${container}`;
  const wanted = `${volumePath}/${path}`;
  if (!(await files.stat(wanted))) {
    await said(`failed to create subPath directory ${which}`, makeWithin(files, volumePath, path));
  }
  return said(`failed to prepare subPath ${which}`, async () => {
    const source = await files.realpath(wanted);
    if (!isWithin(source, await files.realpath(volumePath))) {
      throw new Error(`subpath "${source}" not within volume path "${volumePath}"`);
    }
    while (await isMounted(files, target)) await files.unmount(target);
    await files.mkdirAll(parent, 0o750);
    const isDirectory = (await files.stat(source))?.type === 'directory';
    // An earlier container may have mounted a file here, and this one mounts a directory.
    await files.removeAll(target);
    if (isDirectory) await files.mkdirAll(target, 0o750);
    else await files.writeFile(target, '', { mode: 0o640 });
    await files.mount(source, target, { type: 'bind' });
    return target;
  });
}

/** Takes away all parts of a volume that containers of the pod mounted. */
export async function removeSubPaths(
  files: FileSystem,
  { podUID, specName }: Pick<SubPathRequest, 'podUID' | 'specName'>,
): Promise<void> {
  const dir = `${subPathsDir(podUID)}/${specName}`;
  if (await files.stat(dir)) await removeVolume(files, dir);
}

/** Makes a directory in a volume, and nowhere else: a link on the way that leads out is not followed. */
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

/** The details of a failure stay in its cause: they could tell of other files of the node. */
async function said<T>(message: string, doing: Promise<T> | (() => Promise<T>)): Promise<T> {
  try {
    return await (typeof doing === 'function' ? doing() : doing);
  } catch (error) {
    throw new Error(message, { cause: error });
  }
}
