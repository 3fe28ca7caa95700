/** `graphdb completion`: writes a script that completes commands and options in a shell, made from the program's definition. */
import { Argument, type Command } from 'commander';
import type { CliContext } from '../context.ts';

const SCRIPTS = { bash, zsh, fish } as const;

const NOTES = `
Examples:
  source <(graphdb completion bash)                                      # in ~/.bashrc
  graphdb completion zsh > "\${fpath[1]}/_graphdb"
  graphdb completion fish > ~/.config/fish/completions/graphdb.fish`;

interface CommandWords {
  readonly name: string;
  readonly description: string;
  readonly options: readonly { readonly flag: string; readonly description: string; readonly choices: readonly string[] }[];
}

/** Adds `graphdb completion` to the program. */
export function registerCompletion(program: Command, { streams }: CliContext): void {
  program
    .command('completion')
    .description('print the completion script of a shell')
    .addArgument(new Argument('<shell>', 'bash, zsh or fish').choices(Object.keys(SCRIPTS)))
    .addHelpText('after', NOTES)
    .action((shell: keyof typeof SCRIPTS) => {
      streams.output.write(SCRIPTS[shell](program.commands.map(wordsOf)));
    });
}

function wordsOf(command: Command): CommandWords {
  const options = command.options.map(({ long, short, description, argChoices }) => ({
    flag: long ?? short ?? '',
    description,
    choices: argChoices ?? [],
  }));
  return {
    name: command.name(),
    description: command.description(),
    options: [...options, { flag: '--help', description: 'show help', choices: [] }],
  };
}

function bash(commands: readonly CommandWords[]): string {
  const cases = commands.map(({ name, options }) => `    ${name}) words="${options.map(({ flag }) => flag).join(' ')}" ;;`);
  const choices = choicesOf(commands).map(
    ([flag, words]) => `    ${flag}) COMPREPLY=($(compgen -W "${words.join(' ')}" -- "$word")); return ;;`,
  );
  return `# bash completion of graphdb
_graphdb() {
  local word="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" words=""
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${commands.map(({ name }) => name).join(' ')} --help --version" -- "$word"))
    return
  fi
  case "$before" in
${choices.join('\n')}
  esac
  case "\${COMP_WORDS[1]}" in
${cases.join('\n')}
  esac
  case "$word" in
    -*) COMPREPLY=($(compgen -W "$words" -- "$word")) ;;
    *) COMPREPLY=($(compgen -f -- "$word")) ;;
  esac
}
complete -o filenames -F _graphdb graphdb
`;
}

/** Returns the options with a fixed set of values. A flag has the same values in every command that has it. */
function choicesOf(commands: readonly CommandWords[]): [string, readonly string[]][] {
  const found = new Map<string, readonly string[]>();
  for (const { options } of commands) for (const { flag, choices } of options) if (choices.length > 0) found.set(flag, choices);
  return [...found];
}

function zsh(commands: readonly CommandWords[]): string {
  const quoted = (text: string): string => text.replaceAll("'", "'\\\\''").replace(/[[\]:]/g, '\\\\$&');
  const list = commands.map(({ name, description }) => `    '${name}:${quoted(description)}'`);
  const cases = commands.map(({ name, options }) => {
    const specs = options.map(({ flag, description, choices }) => {
      const values = choices.length > 0 ? `:value:(${choices.join(' ')})` : '';
      return `'*${flag}[${quoted(description)}]${values}'`;
    });
    return `    ${name}) _arguments ${specs.join(' ')} '*:file:_files' ;;`;
  });
  return `#compdef graphdb
_graphdb() {
  local -a commands
  commands=(
${list.join('\n')}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  local command=\${words[2]}
  shift words
  (( CURRENT-- ))
  case $command in
${cases.join('\n')}
  esac
}
if [ "$funcstack[1]" = "_graphdb" ]; then _graphdb "$@"; else compdef _graphdb graphdb; fi
`;
}

function fish(commands: readonly CommandWords[]): string {
  const quoted = (text: string): string => `'${text.replaceAll('\\\\', '\\\\\\\\').replaceAll("'", "\\\\'")}'`;
  const lines = commands.flatMap(({ name, description, options }) => [
    `complete -c graphdb -n __fish_use_subcommand -f -a ${name} -d ${quoted(description)}`,
    ...options.map(({ flag, description: text, choices }) => {
      const values = choices.length > 0 ? ` -x -a ${quoted(choices.join(' '))}` : '';
      return `complete -c graphdb -n '__fish_seen_subcommand_from ${name}' -l ${flag.replace(/^--/, '')} -d ${quoted(text)}${values}`;
    }),
  ]);
  return `# fish completion of graphdb\n${lines.join('\n')}\n`;
}
