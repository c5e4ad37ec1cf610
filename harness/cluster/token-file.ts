import type { Process } from '../node/programs/program.ts';
import type { Clock } from '../sim/index.ts';

/** The file of a container with the token of its service account. Upstream: kubernetes/client-go@v0.36.3 rest/config.go InClusterConfig */
const TOKEN_FILE = '/var/run/secrets/kubernetes.io/serviceaccount/token';

/** Upstream: kubernetes/client-go@v0.36.3 transport/token_source.go NewCachedFileTokenSource */
const PERIOD_MS = 60_000;

/** The token of a program in a pod. The kubelet replaces the file before the token expires. */
export class TokenFile {
  readonly #files: Process['files'];
  #token = '';

  /** Reads the token for the first time. @throws Error when the file is missing */
  static async of({ files }: Process): Promise<TokenFile> {
    const file = new TokenFile(files);
    await file.#read();
    return file;
  }

  private constructor(files: Process['files']) {
    this.#files = files;
  }

  /** The token as last read. */
  get token(): string {
    return this.#token;
  }

  /** Reads the file every minute. If it cannot be read, the last token stays. */
  async reread(clock: Clock, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await clock.sleep(PERIOD_MS, signal);
      await this.#read().catch(() => {});
    }
  }

  async #read(): Promise<void> {
    this.#token = (await this.#files.readFile(TOKEN_FILE)).trim();
  }
}
