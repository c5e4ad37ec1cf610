import type { Components } from '../../contracts/component.ts';
import { openHandler } from './front.fixture.ts';
import { testPaths } from './paths.fixture.ts';

const { components } = (await import('#components')) as { readonly components: Components };

testPaths(() => openHandler(components));
