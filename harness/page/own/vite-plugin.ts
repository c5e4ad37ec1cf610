import type { IncomingMessage, ServerResponse } from 'node:http';
import { SourceMap } from 'node:module';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import type { Plugin, ViteDevServer } from 'vite';
import { readKatas } from '../../cli/katas.ts';
import { todosIn } from '../../workbook/stub.ts';
import {
  OWN_FILES_URL,
  OWN_OBJECTION_URL,
  OWN_PLACE_URL,
  OWN_SAVED,
  type OwnFile,
  type ScriptPlace,
} from '../protocol/own.ts';

/**
 * Serves the learner's files to the page: the list of files, an event after each save, and the places of errors in
 * their text.
 *
 * @param root the workbook's folder
 */
export function ownFiles(root: string): Plugin {
  return {
    name: 'own-files',
    apply: 'serve',
    configureServer(server) {
      server.middlewares.use(OWN_FILES_URL, (_, response) => answer(response, filesIn(root)));
      server.middlewares.use(OWN_PLACE_URL, (request, response) =>
        answer(response, placeOf(server, root, placeIn(request)) ?? null),
      );
      server.middlewares.use(OWN_OBJECTION_URL, async (request, response) =>
        answer(response, (await objectionTo(server, root, placeIn(request).url)) ?? null),
      );
    },
    hotUpdate({ file, modules, timestamp }) {
      const [, kata] =
        /^katas\/([^/]+)\/[^/]+\.ts$/.exec(path.relative(root, file).replaceAll('\\', '/')) ?? [];
      if (kata === undefined) return undefined;
      // Vite would reload the page. The worker loads the kata again in place, with the files that it imports.
      for (const module of modules)
        this.environment.moduleGraph.invalidateModule(module, new Set(), timestamp, true);
      const saved = filesIn(root).find((one) => one.kata === kata);
      if (saved) this.environment.hot.send(OWN_SAVED, saved);
      return [];
    },
  };
}

function filesIn(root: string): readonly OwnFile[] {
  return readKatas(root).flatMap(({ id, stub, text, standing }) =>
    text === undefined
      ? []
      : [
          {
            kata: id,
            file: stub,
            url: `/@fs${path.posix.join('/', root.replaceAll('\\', '/'), stub)}`,
            unwritten: todosIn(text).map(({ symbol }) => symbol),
            isDone: standing.state === 'done' && !standing.stale,
          },
        ],
  );
}

function placeIn({ url = '' }: IncomingMessage): ScriptPlace {
  const words = new URL(url, 'http://page').searchParams;
  return {
    url: words.get('url') ?? '',
    line: Number(words.get('line')),
    column: Number(words.get('column')),
  };
}

/** Returns a place in a file of the workbook: `katas/23-replicaset/replicaset.ts:41:7`. */
function placeOf(
  server: ViteDevServer,
  root: string,
  { url, line, column }: ScriptPlace,
): string | undefined {
  const { pathname, searchParams } = new URL(url);
  // Vite adds these to the addresses of imports.
  for (const added of ['import', 't']) searchParams.delete(added);
  const graph = server.environments.client.moduleGraph;
  const module =
    graph.urlToModuleMap.get(`${pathname}?${searchParams}`) ?? graph.urlToModuleMap.get(pathname);
  const map = module?.transformResult?.map;
  if (!module?.file || !map || !('mappings' in map)) return undefined;
  const found = new SourceMap(map as ConstructorParameters<typeof SourceMap>[0]).findEntry(
    line - 1,
    column - 1,
  );
  if (!('originalLine' in found)) return undefined;
  return `${path.relative(root, module.file)}:${found.originalLine + 1}:${found.originalColumn + 1}`;
}

/** Returns why a module cannot be served: a syntax error, an import that does not exist. */
async function objectionTo(server: ViteDevServer, root: string, url: string): Promise<string | undefined> {
  try {
    await server.transformRequest(url);
    return undefined;
  } catch (error) {
    const [reason = ''] = stripVTControlCharacters((error as Error).message).split(/\n\s*(?:Plugin|File):/);
    return reason.trim().replaceAll(`${root}/`, '');
  }
}

function answer(response: ServerResponse, value: unknown): void {
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify(value));
}
