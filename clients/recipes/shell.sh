# Lectern for sh, with curl 7.76 or newer and jq. `. ./shell.sh` defines the functions; LECTERN_URL and LECTERN_KEY name a server and a key.

# lectern METHOD PATH [CURL-OPTION…]: prints the answer's JSON. While the server is busy, it waits as Retry-After says. Where the server
# refuses, it prints why on standard error and fails. The key is given on standard input: no list of processes shows it.
lectern() {
    lectern_method=$1 lectern_path=$2
    shift 2
    # Of several tries, curl prints every answer.
    lectern_answers=$(
        printf 'header = "Authorization: Bearer %s"\n' "$LECTERN_KEY" |
            curl --silent --show-error --fail-with-body --retry 5 --config - --request "$lectern_method" "$@" "$LECTERN_URL$lectern_path"
    ) || {
        printf '%s\n' "$lectern_answers" | jq --raw-output --slurp 'last | .message // .error // empty' >&2
        return 1
    }
    printf '%s\n' "$lectern_answers" | jq --compact-output --slurp last
}

# lectern_upload DATASET FILE EXTERNAL-ID: prints the stored file's id. It takes the place of the former one of this EXTERNAL-ID, so that it
# is stored once, even where an answer is lost and curl sends it again.
lectern_upload() {
    lectern_file=$(printf '%s' "$2" | sed 's/[\\"]/\\&/g')
    lectern_answer=$(
        lectern POST /v1/files/upload --form-string "datasetId=$1" --form-string "externalId=$3" --form "file=@\"$lectern_file\""
    ) || return
    printf '%s\n' "$lectern_answer" | jq --raw-output '.files[].fileId'
}

# lectern_question PATH DATASET QUESTION
lectern_question() {
    lectern POST "$1" --header "Content-Type: application/json" \
        --data-binary "$(jq --null-input '{datasetId: $ARGS.positional[0], question: $ARGS.positional[1]}' --args -- "$2" "$3")"
}

# lectern_search DATASET QUESTION: score, file and text of each passage, one a line.
lectern_search() {
    lectern_answer=$(lectern_question /v1/search "$1" "$2") || return
    printf '%s\n' "$lectern_answer" | jq --raw-output '.data[] | [.score, .metadata.originalName, .pageContent] | @tsv'
}

# lectern_ask DATASET QUESTION: the answer, then the files that it is made from.
lectern_ask() {
    lectern_answer=$(lectern_question /v1/query "$1" "$2") || return
    printf '%s\n' "$lectern_answer" |
        jq --raw-output '.data | .answer, (.sources | to_entries[] | "[\(.key + 1)] \(.value.metadata.originalName)")'
}
