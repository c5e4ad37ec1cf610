import type { Components } from '../../contracts/component.ts';
import { testPaths } from '../../serving/hostile/paths.fixture.ts';
import { openPrograms } from './programs.fixture.ts';

const { components } = (await import('#components')) as { readonly components: Components };

testPaths(() => openPrograms(components));
