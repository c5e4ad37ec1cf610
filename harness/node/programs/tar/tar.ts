import { gunzipSync, gzipSync } from '#platform/compression';
import { bytesOfText, FileError, textOfBytes } from '../../../contracts/node/index.ts';
import { reasonOf } from '../errno-words.ts';
import type { Process, Program } from '../program.ts';
import { ArchiveError, blocksOf, endOf, type Member, membersOf, RECORD_BYTES } from './archive.ts';
import { type TarOptions, tarOptions, UsageError } from './options.ts';

const FAILED = 2;
const BAD_OPTION = 64;

/**
 * `tar cf - /etc`, `tar xmf - -C /tmp`, `tar tf archive`: `kubectl cp` runs it in a container.
 *
 * Upstream: gnu/tar@v1.35 src/tar.c main
 *
 * Differs: files have no owners and no times, so an archive shows root and the current time. The only compression is
 * gzip, and a list contains only names.
 */
export const tar: Program = async (process) => {
  try {
    const options = tarOptions(process.argv);
    const run = new Run(process, options);
    await (options.mode === 'c' ? run.create() : run.read());
    return run.end();
  } catch (error) {
    if (error instanceof UsageError) {
      const advice = "Try 'tar --help' or 'tar --usage' for more information.";
      process.stderr(`tar: ${error.message}\n${advice}\n`);
      return error.ofOption ? BAD_OPTION : FAILED;
    }
    if (!(error instanceof Fatal)) throw error;
    process.stderr(`tar: ${error.message}\ntar: Error is not recoverable: exiting now\n`);
    return FAILED;
  }
};

/** Thrown for an error after which tar cannot continue. */
class Fatal extends Error {
  override readonly name = 'Fatal';
}

/** One run of tar. */
class Run {
  readonly #process: Process;
  readonly #options: TarOptions;
  readonly #stripped = new Set<string>();
  #failed = false;

  constructor(process: Process, options: TarOptions) {
    this.#process = process;
    this.#options = options;
  }

  /** @returns the exit code */
  end(): number {
    if (!this.#failed) return 0;
    this.#say('Exiting with failure status due to previous errors');
    return FAILED;
  }

  async create(): Promise<void> {
    const { archive, gzip, operands } = this.#options;
    await this.#mustBeDirectory();
    const blocks: Uint8Array[] = [];
    for (const operand of operands)
      for await (const member of this.#below(operand)) blocks.push(blocksOf(member));
    const members = Buffer.concat(blocks);
    const plain = Buffer.concat([members, endOf(members.length)]);
    const whole = gzip ? gzipSync(plain) : plain;
    if (archive === '-') {
      for (let at = 0; at < whole.length; at += RECORD_BYTES) {
        this.#process.stdout(textOfBytes(whole.subarray(at, at + RECORD_BYTES)));
      }
      return;
    }
    await this.#process.files.writeFile(archive, whole).catch((error: Error) => {
      throw new Fatal(`${archive}: Cannot open: ${reasonOf(error)}`);
    });
  }

  async read(): Promise<void> {
    const { mode, operands } = this.#options;
    const found = new Set<string>();
    const isWanted = ({ name }: Member): boolean => {
      const by = operands.find((each) => name === each || name.startsWith(`${each.replace(/\/$/, '')}/`));
      if (by !== undefined) found.add(by);
      return by !== undefined || operands.length === 0;
    };
    try {
      for (const member of membersOf(await this.#uncompressed())) {
        if (!isWanted(member)) continue;
        if (mode === 't') this.#process.stdout(`${member.name}\n`);
        else await this.#extract(member);
      }
    } catch (error) {
      if (!(error instanceof ArchiveError)) throw error;
      if (error.isEnd) throw new Fatal(error.message);
      this.#fail(error.message);
    }
    for (const each of operands) if (!found.has(each)) this.#fail(`${each}: Not found in archive`);
  }

  /** Yields a file, a link, or a directory with its content. */
  async *#below(path: string): AsyncGenerator<Member, void> {
    const { files, clock } = this.#process;
    const { directory } = this.#options;
    const name = this.#withoutPrefix(path, /^(?:.*\/)?\.\.(?:\/|$)|^\/+/);
    const at = path.startsWith('/') ? path : `${directory}/${path}`;
    try {
      const info = await files.lstat(at);
      if (!info) {
        this.#fail(`${path}: Cannot stat: No such file or directory`);
        return;
      }
      const { type, mode } = info;
      const common = {
        type,
        mode,
        mtime: Math.floor(clock.now() / 1_000),
        target: '',
        bytes: new Uint8Array(),
      };
      const member = {
        ...common,
        name: type === 'directory' ? `${name.replace(/\/*$/, '') || '.'}/` : name.replace(/\/+$/, ''),
        ...(type === 'symlink' && { target: await files.readlink(at) }),
        ...(type === 'file' && { bytes: await files.readBytes(at) }),
      };
      if (this.#options.verbose) this.#tell(member.name);
      yield member;
      if (type !== 'directory') return;
      for (const entry of await files.readdir(at)) yield* this.#below(`${path.replace(/\/*$/, '')}/${entry}`);
    } catch (error) {
      if (!(error instanceof FileError)) throw error;
      this.#fail(`${path}: Cannot stat: ${reasonOf(error)}`);
    }
  }

  /** GNU tar also detects the compression of a file by itself, but not that of its input. */
  async #uncompressed(): Promise<Uint8Array> {
    const { archive, gzip } = this.#options;
    const bytes = await this.#archive();
    const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b;
    if (!gzip && !isGzip) return bytes;
    if (!gzip && archive === '-') throw new Fatal('Archive is compressed. Use -z option');
    try {
      return gunzipSync(bytes);
    } catch {
      const why = isGzip ? 'gzip: stdin: unexpected end of file' : 'gzip: stdin: not in gzip format';
      this.#process.stderr(`\n${why}\n`);
      throw new Fatal('Child returned status 1');
    }
  }

  async #archive(): Promise<Uint8Array> {
    const { stdin, files } = this.#process;
    const { archive } = this.#options;
    if (archive !== '-') {
      return files.readBytes(archive).catch((error: Error) => {
        throw new Fatal(`${archive}: Cannot open: ${reasonOf(error)}`);
      });
    }
    const pieces: Uint8Array[] = [];
    for (let text = await stdin.read(); text !== undefined; text = await stdin.read()) {
      pieces.push(bytesOfText(text));
    }
    return Buffer.concat(pieces);
  }

  async #extract(member: Member): Promise<void> {
    await this.#mustBeDirectory();
    const { directory, verbose, samePermissions } = this.#options;
    const { files } = this.#process;
    const name = this.#withoutPrefix(member.name, /^\/+/);
    if (name.split('/').includes('..')) return this.#fail(`${member.name}: Member name contains '..'`);
    if (verbose) this.#tell(member.name);
    const at = `${directory}/${name}`;
    const mode = samePermissions ? member.mode : member.mode & ~UMASK;
    try {
      if (member.type === 'directory') return await files.mkdirAll(at, mode);
      await files.mkdirAll(at.slice(0, at.replace(/\/+$/, '').lastIndexOf('/')));
      const old = await files.lstat(at);
      if (old?.type === 'directory') return this.#fail(`${name}: Cannot open: File exists`);
      if (old) await files.removeAll(at);
      if (member.type === 'symlink') await files.symlink(member.target, at);
      else if (member.type === 'link') await files.link(`${directory}/${member.target}`, at);
      else await files.writeFile(at, member.bytes, { mode });
    } catch (error) {
      if (!(error instanceof FileError)) throw error;
      // A mount point cannot be removed.
      const reason = error.code === 'EBUSY' ? 'File exists' : reasonOf(error);
      const verb = error.code === 'ENOSPC' ? 'write' : VERBS[member.type];
      this.#fail(`${name}: Cannot ${verb}: ${reason}`);
    }
  }

  async #mustBeDirectory(): Promise<void> {
    const { directory } = this.#options;
    await this.#process.files.readdir(directory).catch((error: Error) => {
      throw new Fatal(`${directory}: Cannot open: ${reasonOf(error)}`);
    });
  }

  /** Removes a prefix that would lead out of the target directory. Reports each prefix once. */
  #withoutPrefix(name: string, pattern: RegExp): string {
    const [prefix = ''] = pattern.exec(name) ?? [];
    if (prefix !== '' && !this.#stripped.has(prefix)) {
      this.#stripped.add(prefix);
      this.#say(`Removing leading \`${prefix}' from member names`);
    }
    return name.slice(prefix.length);
  }

  /** Prints a name to stderr if the archive goes to stdout, otherwise to stdout. */
  #tell(name: string): void {
    const { mode, archive } = this.#options;
    this.#process[mode === 'c' && archive === '-' ? 'stderr' : 'stdout'](`${name}\n`);
  }

  #fail(message: string): void {
    this.#failed = true;
    this.#say(message);
  }

  #say(message: string): void {
    this.#process.stderr(`tar: ${message}\n`);
  }
}

const UMASK = 0o022;
const VERBS: Readonly<Record<Member['type'], string>> = {
  file: 'open',
  directory: 'mkdir',
  symlink: 'create symlink',
  link: 'hard link',
};
