// The regular expressions of web/src: [[place, source, flags], …] as JSON.  One that is made later has null as source.
import { createRequire } from 'node:module'
import { relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const web = new URL('../web/', import.meta.url)
const package_ = (name) => import(pathToFileURL(createRequire(new URL('package.json', web)).resolve(name)).href)
const { API } = await package_('typescript/unstable/sync')
const { SyntaxKind } = await package_('typescript/unstable/ast')

function* of(node, place) {
  if (node.kind === SyntaxKind.RegularExpressionLiteral) {
    const end = node.text.lastIndexOf('/')
    yield [place, node.text.slice(1, end), node.text.slice(end + 1)]
  }
  const calls = node.kind === SyntaxKind.NewExpression || node.kind === SyntaxKind.CallExpression
  if (calls && node.expression.text === 'RegExp') yield [place, null, '']
  const inner = []
  node.forEachChild((child) => void inner.push(child))
  for (const child of inner) yield* of(child, place)
}

const sources = fileURLToPath(new URL('src/', web))
const api = new API({ cwd: fileURLToPath(web) })
const [project] = api.updateSnapshot({ openProject: fileURLToPath(new URL('tsconfig.json', web)) }).getProjects()
const files = project.program.getSourceFileNames().filter((file) => file.startsWith(sources))
const found = files.flatMap((file) => [...of(project.program.getSourceFile(file), relative(fileURLToPath(new URL('..', web)), file))])
console.log(JSON.stringify(found))
api.close()
