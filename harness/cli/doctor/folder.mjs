import { realpathSync } from 'node:fs';
import path from 'node:path';
import { lockOf, stubsIn } from './packages.mjs';

/** @import { Check, Finding, Machine } from './machine.ts' */

/**
 * Checks that git is installed and knows the stubs, so that `reset` can restore them.
 *
 * @type {Check}
 */
export async function checkGit({ root, run }) {
  const name = 'git';
  const version = await run('git', ['--version']);
  if (version.missing)
    return {
      name,
      state: 'warning',
      text: 'not installed: npm run kata cannot restore a stub',
      remedy: 'Install git from https://git-scm.com, and clone the workbook with it.',
    };
  const number = /\d+[\d.]*/.exec(version.out)?.[0] ?? 'unknown version';
  const tracked = await run('git', ['ls-files', '--', 'katas']);
  if (/dubious ownership/.test(tracked.out))
    return {
      name,
      state: 'warning',
      text: `${number}, but git rejects this folder because another user owns it`,
      remedy: `git config --global --add safe.directory "${root.replace(/\\/g, '/')}"`,
    };
  if (tracked.status !== 0 || tracked.out.trim() === '')
    return {
      name,
      state: 'warning',
      text: `${number}, but this folder is not a clone: npm run kata cannot restore a stub`,
      remedy: 'Get the workbook with git clone instead of a download.',
    };
  return { name, state: 'ok', text: `${number}, and this folder is a clone` };
}

/**
 * Checks that each kata has its stub.
 *
 * @type {Check}
 */
export function checkStubs({ root }) {
  const name = 'stubs';
  const { katas, missing } = stubsIn(root);
  if (katas.length === 0)
    return {
      name,
      state: 'problem',
      text: 'the folder katas is missing or empty',
      remedy: 'git checkout katas',
    };
  const [first] = missing;
  if (first === undefined) return { name, state: 'ok', text: `${katas.length} katas have their stub` };
  return {
    name,
    state: 'warning',
    text: `deleted: ${missing.join(', ')}`,
    remedy: `npm run kata -- reset ${first.slice('katas/'.length, 'katas/'.length + 2)}`,
  };
}

/** File systems that another machine serves, or that a virtual machine shares with its host. */
const REMOTE =
  /^(?:nfs\d?|cifs|smb\w*|9p|drvfs|afpfs|webdav|davfs|fuse\.(?:sshfs|rclone|gvfsd-fuse)|fuse\.?(?:osxfs|grpcfuse)|vboxsf|vmhgfs\S*|prl_fs|virtiofs|fakeowner)$/;

/** Folders that a program copies to a cloud. */
const SYNCED =
  /[\\/](OneDrive|Dropbox|Google ?Drive|GoogleDrive|My Drive|iCloud ?Drive|Mobile Documents|CloudStorage|Nextcloud|Box Sync|pCloud ?Drive)(?=[\\/ -]|$)/i;

/**
 * Checks that files in `katas/` can be written, renamed and read again, and warns about places that are slow or
 * change files by themselves.
 *
 * @type {Check}
 */
export function checkFiles(machine) {
  const { root, platform, kernel, mounts } = machine;
  const name = 'files';
  const why = whyUnwritable(machine);
  if (why !== undefined)
    return {
      name,
      state: 'problem',
      text: `cannot write in ${root}: ${why}`,
      remedy: 'Clone the workbook into a folder that you own, such as your home folder.',
    };
  const odd = /[#?*%]/.exec(root)?.[0];
  if (odd !== undefined)
    return {
      name,
      state: 'warning',
      text: `the path contains "${odd}", which Vite may read as part of a URL: ${root}`,
      remedy: 'Move the workbook to a path without this character.',
    };
  if (/microsoft/i.test(kernel) && /^\/mnt\/[a-z]\//.test(`${root}/`))
    return {
      name,
      state: 'warning',
      text: `WSL reads this folder from the disk of Windows (${root}): slow, and saves may go unnoticed`,
      remedy: 'Clone the workbook into your Linux home folder: cd ~',
    };
  if (platform === 'win32' && /^\\\\/.test(root))
    return {
      name,
      state: 'warning',
      text: `the folder is on a network drive: ${root}`,
      remedy: 'Clone the workbook onto a local disk, such as C:.',
    };
  const type = typeOf(root, mounts);
  if (type !== undefined && REMOTE.test(type))
    return {
      name,
      state: 'warning',
      text: `the folder is on a network or shared drive (${type}): slow, and saves may go unnoticed`,
      remedy: 'Clone the workbook onto a local disk.',
    };
  const synced = SYNCED.exec(root)?.[1];
  if (synced !== undefined)
    return {
      name,
      state: 'warning',
      text: `${synced} syncs this folder: it would copy node_modules, and lock or restore files during a run`,
      remedy: 'Move the workbook to a folder that is not synced.',
    };
  return { name, state: 'ok', text: `can be written and renamed${type === undefined ? '' : ` (${type})`}` };
}

/**
 * Writes, renames and reads a file whose name has a space and letters beyond ASCII.
 *
 * @param {Machine} machine
 * @returns {string | undefined} the reason of a failure
 */
function whyUnwritable({ root, files }) {
  const folder = path.join(root, 'katas', `.doctor-${process.pid}`);
  const [draft, final] = [path.join(folder, 'a draft é.ts'), path.join(folder, 'a file é.ts')];
  try {
    files.makeFolder(folder);
    files.write(draft, 'kept');
    files.rename(draft, final);
    return files.read(final) === 'kept' ? undefined : 'a file does not keep its text';
  } catch (error) {
    return messageOf(error);
  } finally {
    discard(files, folder);
  }
}

/** How long the watch waits for an event, and how often it writes meanwhile, in ms. */
const WATCH_MS = 10_000;
const WRITE_MS = 200;

/**
 * Checks that a save of a file in `katas/` is noticed: `npx vitest` waits for this event.
 *
 * @type {Check}
 */
export async function checkWatch(machine) {
  const { root, files, sleep, nowMs, watch, watchesMax } = machine;
  const name = 'watching';
  const folder = path.join(root, 'katas', `.doctor-${process.pid}-watch`);
  const file = path.join(folder, 'saved.ts');
  let seen = false;
  let close = () => {};
  try {
    files.makeFolder(folder);
    files.write(file, '0');
    close = watch(folder, () => {
      seen = true;
    });
    const startMs = nowMs();
    // Some systems report only changes that come a moment after the watch began.
    for (let count = 1; !seen && nowMs() - startMs < WATCH_MS; count++) {
      files.write(file, String(count));
      await sleep(WRITE_MS);
    }
  } catch (error) {
    const full = /ENOSPC|EMFILE/.test(messageOf(error));
    return {
      name,
      state: 'warning',
      text: `files cannot be watched: ${messageOf(error)}`,
      remedy: full ? MORE_WATCHES : `Repair the line "files" first. ${BY_HAND}`,
    };
  } finally {
    close();
    discard(files, folder);
  }
  if (!seen)
    return {
      name,
      state: 'warning',
      text: `a save in katas/ was not noticed within ${WATCH_MS / 1_000} s`,
      remedy: `Move the workbook to a local disk, or let Vitest look for itself with CHOKIDAR_USEPOLLING=1. ${BY_HAND}`,
    };
  if (watchesMax !== undefined && watchesMax < WATCHES_MIN)
    return {
      name,
      state: 'warning',
      text: `works, but Linux allows only ${watchesMax} watches, and an editor needs some beside Vitest`,
      remedy: MORE_WATCHES,
    };
  return { name, state: 'ok', text: 'a save in katas/ is noticed' };
}

/** Vitest places 3,443 watches on the files and folders of the workbook. An editor needs as many again. */
const WATCHES_MIN = 8_192;
const MORE_WATCHES =
  'sudo sysctl fs.inotify.max_user_watches=524288 fs.inotify.max_user_instances=512 (and close other editors)';
const BY_HAND = 'Without it, run the tests by hand: npx vitest run katas/21-informer';

/**
 * Compares the editor's setting with the TypeScript of the workbook.
 *
 * @type {Check}
 */
export function checkEditor({ root, files }) {
  const name = 'editor';
  const version = lockOf(root)['node_modules/typescript']?.version;
  const choose =
    'In VS Code choose "TypeScript: Select TypeScript Version", then "Use Workspace Version", in the command palette.';
  const settings = textOf(files, path.join(root, '.vscode/settings.json'));
  const [, , raw] =
    /"(typescript\.tsdk|js\/ts\.tsdk\.path)"\s*:\s*"((?:[^"\\]|\\.)*)"/.exec(
      settings.replace(/^\s*\/\/.*$/gm, ''),
    ) ?? [];
  if (raw === undefined)
    return { name, state: 'ok', text: `the workbook brings TypeScript ${version}`, remedy: choose };
  const tsdk = path.resolve(
    root,
    raw.replace(/\\\\/g, '/').replace(/\$\{workspaceFolder\}/, () => root),
  );
  const own = path.join(root, 'node_modules/typescript');
  if (tsdk !== own && !tsdk.startsWith(`${own}${path.sep}`))
    return {
      name,
      state: 'warning',
      text: `.vscode/settings.json takes TypeScript from ${raw} instead of the workbook's ${version}`,
      remedy: `Set it to "node_modules/typescript/lib". ${choose}`,
    };
  return { name, state: 'ok', text: `VS Code uses the TypeScript of the workbook: ${version}` };
}

/**
 * Returns the type of the file system of a folder, from the list of mounts: `ext4`.
 *
 * @param {string} folder
 * @param {string} mounts
 * @returns {string | undefined}
 */
function typeOf(folder, mounts) {
  let place = folder;
  try {
    place = realpathSync(folder);
  } catch {
    // A folder that does not exist has no other path.
  }
  let found = { point: '', type: '' };
  for (const line of mounts.split('\n')) {
    // Linux: "device /point type options". macOS: "device on /point (type, options)".
    const [, point = '', type = ''] =
      / on (\/.*) \((\w+)[,)]/.exec(line) ??
      /^\S+ (\/\S*) (\S+) /.exec(line.replace(/\\040/g, '\u00a0')) ??
      [];
    const plain = point.replace(/\u00a0/g, ' ');
    const holds = plain === '/' || place === plain || place.startsWith(`${plain}/`);
    if (plain !== '' && holds && plain.length >= found.point.length) found = { point: plain, type };
  }
  return found.type === '' ? undefined : found.type;
}

/**
 * @param {Machine['files']} files
 * @param {string} place
 */
function discard(files, place) {
  try {
    files.remove(place);
  } catch {
    // The check has reported the reason already.
  }
}

/**
 * @param {Machine['files']} files
 * @param {string} file
 * @returns {string} empty if the file does not exist
 */
function textOf(files, file) {
  try {
    return files.read(file);
  } catch {
    return '';
  }
}

/**
 * @param {unknown} error
 * @returns {string}
 */
function messageOf(error) {
  return error instanceof Error ? error.message : String(error);
}
