import type { Components } from '../contracts/component.ts';
import { runCluster } from './cluster-command.ts';
import { plain } from './colours.ts';
import { exitCodeOf } from './failure.ts';
import { Printed } from './printed.fixture.ts';
import { Stops } from './stops.ts';

const { components } = (await import('#components')) as { readonly components: Components };

interface RunHereOptions {
  /** The workbook's folder. */
  readonly root: string;
  /** The working directory: relative paths start here. */
  readonly cwd: string;
}

/** Runs `npm run cluster -- …` in this process. */
export class RunHere extends Printed implements AsyncDisposable {
  readonly ended: Promise<number>;
  readonly #stops = new Stops();

  constructor(where: RunHereOptions, ...words: readonly string[]) {
    super();
    const terminal = {
      print: (line: string) => this.print('out', `${line}\n`),
      complain: (line: string) => this.print('err', `${line}\n`),
    };
    const stops = this.#stops;
    const run = () => runCluster(words, { ...where, components, terminal, paint: plain, stops });
    this.ended = exitCodeOf(run, terminal);
  }

  /** Ends it as Ctrl-C does. */
  stop(): Promise<number> {
    this.#stops.request();
    return this.ended;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }
}
