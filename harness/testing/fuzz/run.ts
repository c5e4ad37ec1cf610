import { resources } from '../../api/resource.ts';
import { seededRandom } from '../../sim/index.ts';
import { brokenByAskingAgain } from './agreement.ts';
import { chanceOf } from './chance.ts';
import { customPopulation } from './custom.ts';
import { brokenByAnswer, brokenByWrite, brokenInStore } from './laws.ts';
import { defining, type FuzzRequest, fuzzRequest, wellMeant } from './request.ts';
import { type Answer, Served } from './served.ts';

/** Requests to one apiserver; the next one starts with an empty store. */
export const REQUESTS_PER_LIFE = 500;

/** A violation, and the requests that led to it. */
export interface Red {
  readonly why: string;
  /** Every request since the empty store; the last one violates the law. */
  readonly requests: readonly FuzzRequest[];
}

/** Called for each request. */
interface Observer {
  sending(): void;
  answered(request: FuzzRequest, answer: Answer): void;
}

/**
 * Sends the requests of one seed to a new apiserver. Each request can use values from earlier answers. The first ones
 * create one object of each kind for the others to use.
 */
export async function live(seed: number, count: number, observer?: Observer): Promise<Red | undefined> {
  const chance = chanceOf(seededRandom(seed));
  const told = new Memory();
  const next = (index: number): FuzzRequest => {
    const resource = resources[index];
    return resource ? wellMeant(chance, resource) : fuzzRequest(chance, told);
  };
  return run(count, next, noting(told, observer));
}

/** Deleted definitions are created again after this number of requests. */
const REDEFINED_AFTER = 40;

/** Like {@link live}, with custom resources. The first requests define them, and later ones define them again. */
export async function liveCustom(seed: number, count: number, observer?: Observer): Promise<Red | undefined> {
  const chance = chanceOf(seededRandom(seed));
  const told = new Memory();
  const population = customPopulation(chance);
  const next = (index: number): FuzzRequest => {
    const definition = population.first?.[index % REDEFINED_AFTER];
    return definition ? defining(definition) : fuzzRequest(chance, told, population);
  };
  return run(count, next, noting(told, observer));
}

function noting(told: Memory, observer: Observer | undefined): Observer {
  return {
    sending: () => observer?.sending(),
    answered(request, answer) {
      told.note(answer);
      observer?.answered(request, answer);
    },
  };
}

/** Sends these requests, one after the other, to a new apiserver. */
export async function replay(requests: readonly FuzzRequest[]): Promise<Red | undefined> {
  return run(requests.length, (index) => requests[index] as FuzzRequest);
}

/**
 * Removes the requests that a violation does not need. @param again replays requests in the same way as the original
 * run
 */
export async function smallest(red: Red, again: typeof replay = replay): Promise<Red> {
  let best = red;
  for (let size = Math.ceil(best.requests.length / 2); size >= 1; size = Math.floor(size / 2)) {
    for (let from = best.requests.length - 1 - size; from > -size; from -= size) {
      const { requests } = best;
      const fewer = [...requests.slice(0, Math.max(from, 0)), ...requests.slice(from + size)];
      const found = fewer.length < requests.length ? await again(fewer) : undefined;
      if (found) best = found;
    }
  }
  return best;
}

async function run(
  count: number,
  next: (index: number) => FuzzRequest,
  observer?: Observer,
): Promise<Red | undefined> {
  const served = await Served.start();
  const requests: FuzzRequest[] = [];
  for (let index = 0; index < count; index++) {
    const request = next(index);
    requests.push(request);
    const why = await broken(served, request, observer);
    if (why) return { why, requests };
    // Work of the apiserver itself takes no time, but needs a turn.
    served.clock.advance(0);
  }
  const why = await brokenInStore(served).catch(thrown);
  return why ? { why, requests } : undefined;
}

async function broken(
  served: Served,
  request: FuzzRequest,
  observer?: Observer,
): Promise<string | undefined> {
  const { storage } = served.server;
  const before = storage.revision;
  try {
    observer?.sending();
    const answer = await served.send(request);
    observer?.answered(request, answer);
    return (
      brokenByAnswer(request, answer) ??
      brokenByWrite(request, answer, before, storage.revision) ??
      (await brokenByAskingAgain(served, request, answer))
    );
  } catch (error) {
    return thrown(error);
  }
}

const thrown = (error: unknown): string =>
  `it throws ${error instanceof Error ? error.stack : String(error)}`;

/** A few values from answers, the newest last. */
export class Memory {
  readonly resourceVersions: string[] = ['1'];
  readonly uids: string[] = ['x'];
  readonly continues: string[] = ['x'];

  note({ text }: Answer): void {
    const head = text.slice(0, 600);
    keep(this.resourceVersions, /"resourceVersion":"(\d+)"/.exec(head)?.[1]);
    keep(this.uids, /"uid":"([^"]+)"/.exec(head)?.[1]);
    keep(this.continues, /"continue":"([^"]+)"/.exec(head)?.[1]);
  }
}

function keep(list: string[], found: string | undefined): void {
  if (found === undefined || list.at(-1) === found) return;
  list.push(found);
  if (list.length > 6) list.shift();
}
