#!/bin/sh
# check_machine.sh: start the programs that `make setup` needs and name what to install; status 1 when one is missing,
# too old, or does not start. Needs nothing but sh. PYTHON and JAVA_HOME are read.
python=${PYTHON:-python3}
javac=${JAVA_HOME:+$JAVA_HOME/bin/}javac
wrong=0

# complain <program> <what is wrong with it> <what to install>
complain() {
    printf '%s %s. %s\n' "$1" "$2" "$3" >&2
    wrong=1
}

# number <text>: the first word that begins like a version, such as 3.9.10
number() {
    for word in $1; do
        case $word in
            [0-9]*) printf '%s' "${word%%[!0-9.]*}"; return ;;
        esac
    done
}

# at_least <version> <major> <minor>
at_least() {
    major=${1%%.*}
    rest=${1#*.}
    minor=${rest%%.*}
    [ "$rest" != "$1" ] || minor=0
    [ "${major:-0}" -gt "$2" ] || { [ "${major:-0}" -eq "$2" ] && [ "${minor:-0}" -ge "$3" ]; }
}

# check <name> <major> <minor> <words before the version> <what to install> <command ...>: start it, read its version
check() {
    name=$1 need_major=$2 need_minor=$3 before=$4 install=$5
    shift 5
    if ! command -v "$1" > /dev/null 2>&1; then
        complain "$name" "is missing (no $1)" "$install"
        return
    fi
    said=$("$@" 2>&1)
    status=$?
    if [ "$status" -ne 0 ]; then
        complain "$name" "does not start: $1 ended with status $status and said: ${said:-nothing}" "$install"
        return
    fi
    version=$(number "${said#*"$before"}")
    if ! at_least "${version:-0}" "$need_major" "$need_minor"; then
        complain "$name" "${version:-without a version} is too old ($1)" "$install"
    fi
}

check Python 3 11 "" "Install Python 3.11 or newer (apt-get install python3 python3-venv), or name it: make PYTHON=..." \
    "$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])'
if [ "$wrong" -eq 0 ] && ! said=$("$python" -c 'import ensurepip, venv' 2>&1); then
    complain Python "cannot make environments ($python lacks venv or ensurepip)" "apt-get install python3-venv"
fi
check "The JDK" 17 0 "javac " "Install JDK 17 or newer (apt-get install openjdk-17-jdk-headless), or set JAVA_HOME to one." \
    "$javac" -J-Xmx64m -version
check Maven 3 8 "Apache Maven " "Install Maven 3.8 or newer (apt-get install maven); it must find the JDK." \
    mvn -version
check git 2 0 "git version " "Install git (apt-get install git)." \
    git --version
exit "$wrong"
